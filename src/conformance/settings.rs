//! What the environment says: seed, and how much is run.

use std::ffi::OsString;
use std::fmt::{Display, Formatter};
use std::time::Duration;

use tandem_harness::SEED_BITS;

use crate::check::{SEED, read_seed};

/// The seed.
const SEED_NAME: &str = "TANDEM_SEED";
/// Cases for each instruction.
const CASES_NAME: &str = "TANDEM_CASES";
/// Seconds for each instruction.
const SECONDS_NAME: &str = "TANDEM_SECONDS";
/// Whether differences in disputed cases are findings.
const DISPUTED_NAME: &str = "TANDEM_DISPUTED";
/// Cases for each instruction, if nothing else is said: few, as there are many tests, often without optimization.
const CASES: u64 = 20_000;
/// The longest time for an instruction.
const MOST_SECONDS: f64 = 1e6;

/// How much is run of each instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// This many cases.
    Cases(u64),
    /// This much time.
    Time(Duration),
}

/// What a test runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The seed, below 2^48.
    pub seed: u64,
    /// How much.
    pub amount: Amount,
    /// Whether differences in disputed cases are findings.
    pub disputed: bool,
}

/// Why the environment cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// A variable has another value than it takes.
    #[error("{name} is '{value}', and takes {takes}")]
    Value {
        /// The variable.
        name: &'static str,
        /// Its value.
        value: String,
        /// What it takes, with an example.
        takes: String,
    },
    /// Cases and seconds are both said.
    #[error("{CASES_NAME} and {SECONDS_NAME} are both set; unset one of them")]
    Both,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { seed: SEED, amount: Amount::Cases(CASES), disputed: false }
    }
}

impl Settings {
    /// What the environment of the process says: `TANDEM_SEED`, `TANDEM_CASES` or `TANDEM_SECONDS`, and
    /// `TANDEM_DISPUTED`.
    ///
    /// # Errors
    /// See [`SettingsError`].
    pub fn from_env() -> Result<Self, SettingsError> {
        Self::read(|name| std::env::var_os(name))
    }

    /// The same, where `variable` has the environment.
    ///
    /// # Errors
    /// See [`SettingsError`].
    pub fn read(variable: impl Fn(&str) -> Option<OsString>) -> Result<Self, SettingsError> {
        let mut settings = Settings::default();
        let text = |name| variable(name).map(|value| value.to_string_lossy().into_owned());
        if let Some(value) = text(SEED_NAME) {
            let takes = format!("a number below 2^{SEED_BITS}, decimal or with 0x, for example {SEED_NAME}=7");
            settings.seed = read_seed(&value).map_err(|_| SettingsError::Value { name: SEED_NAME, value, takes })?;
        }
        let (cases, seconds) = (text(CASES_NAME), text(SECONDS_NAME));
        if cases.is_some() && seconds.is_some() {
            return Err(SettingsError::Both);
        }
        if let Some(value) = cases {
            let takes = format!("a number of cases for each instruction, at least 1, for example {CASES_NAME}=100000");
            let cases = value.parse().ok().filter(|&cases| cases > 0);
            let cases = cases.ok_or(SettingsError::Value { name: CASES_NAME, value, takes })?;
            settings.amount = Amount::Cases(cases);
        }
        if let Some(value) = seconds {
            let takes = format!(
                "a number of seconds for each instruction, above 0 and at most {MOST_SECONDS}, for example {SECONDS_NAME}=0.5"
            );
            let seconds = value.parse().ok().filter(|&seconds| seconds > 0.0 && seconds <= MOST_SECONDS);
            let seconds = seconds.ok_or(SettingsError::Value { name: SECONDS_NAME, value, takes })?;
            settings.amount = Amount::Time(Duration::from_secs_f64(seconds));
        }
        if let Some(value) = text(DISPUTED_NAME) {
            let takes = format!("0, or 1 if differences in disputed cases are findings, for example {DISPUTED_NAME}=1");
            settings.disputed = match &*value {
                "0" => false,
                "1" => true,
                _ => return Err(SettingsError::Value { name: DISPUTED_NAME, value, takes }),
            };
        }
        Ok(settings)
    }
}

/// As a shell takes it before a command.
impl Display for Settings {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{SEED_NAME}={} ", self.seed)?;
        if self.disputed {
            write!(f, "{DISPUTED_NAME}=1 ")?;
        }
        match self.amount {
            Amount::Cases(cases) => write!(f, "{CASES_NAME}={cases}"),
            Amount::Time(time) => write!(f, "{SECONDS_NAME}={}", time.as_secs_f64()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(environment: &[(&str, &str)]) -> Result<Settings, String> {
        let value = |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        Settings::read(value).map_err(|error| error.to_string())
    }

    #[test]
    fn an_empty_environment_says_seed_1_and_20000_cases() {
        let settings = read(&[]).expect("nothing is wrong");
        assert_eq!(settings, Settings { seed: 1, amount: Amount::Cases(20_000), disputed: false });
        assert_eq!(settings.to_string(), "TANDEM_SEED=1 TANDEM_CASES=20000");
    }

    #[test]
    fn what_is_said_is_followed_and_can_be_said_again() {
        let settings = read(&[("TANDEM_SEED", "0xff"), ("TANDEM_CASES", "7")]).expect("nothing is wrong");
        assert_eq!(settings, Settings { seed: 255, amount: Amount::Cases(7), disputed: false });
        let settings = read(&[("TANDEM_DISPUTED", "1")]).expect("nothing is wrong");
        assert_eq!(settings.to_string(), "TANDEM_SEED=1 TANDEM_DISPUTED=1 TANDEM_CASES=20000");
        let settings = read(&[("TANDEM_SECONDS", "0.25")]).expect("nothing is wrong");
        assert_eq!(settings.to_string(), "TANDEM_SEED=1 TANDEM_SECONDS=0.25");
        assert_eq!(settings.amount, Amount::Time(Duration::from_millis(250)));
    }

    #[test]
    fn a_bad_value_is_named_with_what_would_be_right() {
        for (name, value) in [
            ("TANDEM_SEED", "seven"),
            ("TANDEM_SEED", ""),
            ("TANDEM_SEED", "281474976710656"),
            ("TANDEM_SEED", "-1"),
            ("TANDEM_CASES", "0"),
            ("TANDEM_CASES", "1e6"),
            ("TANDEM_SECONDS", "0"),
            ("TANDEM_SECONDS", "NaN"),
            ("TANDEM_SECONDS", "inf"),
        ] {
            let said = read(&[(name, value)]).expect_err("it is wrong");
            let begin = format!("{name} is '{value}', and takes a number ");
            assert!(said.starts_with(&begin) && said.contains(&format!("for example {name}=")), "{said}");
        }
        let both = read(&[("TANDEM_CASES", "1"), ("TANDEM_SECONDS", "1")]);
        assert_eq!(both, Err("TANDEM_CASES and TANDEM_SECONDS are both set; unset one of them".to_string()));
    }
}
