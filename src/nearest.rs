//! "Did you mean": the name that is most like one that does not exist.

/// The most changes between a name and the one that is meant, for each four letters.
const CHANGES_IN_FOUR: usize = 2;

/// The name among `known` that is most like `wanted`, if one is like it at all; the first one of equals.
pub(crate) fn nearest<'a>(wanted: &str, known: &[&'a str]) -> Option<&'a str> {
    let lower = wanted.to_lowercase();
    let distance = |name: &str| {
        let name = name.to_lowercase();
        // A beginning is as good as one change for each part that is missing.
        if !lower.is_empty() && name.starts_with(&lower) { 1 } else { strsim::damerau_levenshtein(&lower, &name) }
    };
    let best = known.iter().copied().min_by_key(|name| distance(name))?;
    (distance(best) <= (lower.chars().count() * CHANGES_IN_FOUR).div_ceil(4)).then_some(best)
}

/// What to say behind "there is no such name": the name that is meant if one is like it, and all that there are, up to a
/// handful.
pub(crate) fn or_all(wanted: &str, known: &[&str]) -> String {
    const MOST: usize = 40;
    let did_you_mean = nearest(wanted, known).map(|name| format!("; did you mean '{name}'?")).unwrap_or_default();
    match known.len() {
        0 => format!("{did_you_mean}; there are none"),
        count if count > MOST && !did_you_mean.is_empty() => did_you_mean,
        count if count > MOST => format!("; there are {count}, such as {}", known[..MOST / 4].join(", ")),
        _ => {
            format!("{did_you_mean}{} there are: {}", if did_you_mean.is_empty() { ";" } else { "" }, known.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_meant_and_nothing_if_none_is_near() {
        let known = ["tensix-wh/mova2d", "tensix-wh/sfpload", "mova2d", "sfpload", "visa", "mov"];
        for (wanted, meant) in [
            ("mov2ad", Some("mova2d")),
            ("MOVA2", Some("mova2d")),
            ("sfplaod", Some("sfpload")),
            ("tensix-wh/sfplod", Some("tensix-wh/sfpload")),
            ("vsia", Some("visa")),
            ("zzzzzzzz", None),
        ] {
            assert_eq!(nearest(wanted, &known), meant, "{wanted}");
        }
        assert_eq!(nearest("x", &[]), None);
    }

    #[test]
    fn what_there_is_is_said_too() {
        assert_eq!(or_all("vsia", &["visa", "tensix-wh"]), "; did you mean 'visa'? there are: visa, tensix-wh");
        assert_eq!(or_all("zzzzzzz", &["visa"]), "; there are: visa");
        let many: Vec<String> = (0..100).map(|number| format!("Field[{number}]")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert_eq!(or_all("Feild[7]", &many), "; did you mean 'Field[7]'?");
    }
}
