//! One named model for a whole run: of an instruction whose results go by named models, a target is asked only what it is
//! said to follow.

use tandem_isa::{Field, Layout, Machine};

use super::lens::Lens;
use super::rule::{Atom, Rule, Test};

/// Why a case is unsupported that was not asked.
pub(crate) const NOT_ASKED: &str = "not asked: it goes by another named model";

/// The values of model fields that are asked for.
#[derive(Clone, Debug, Default)]
pub struct Models {
    pub(crate) chosen: Vec<(Field, u32)>,
}

impl Models {
    /// The named choices, each as `NAME=VALUE`, and the first value of every other model of `isa`. With `all` there is no
    /// choice: every case is asked.
    ///
    /// # Errors
    /// The choices that `isa` has, if it does not have one of these.
    pub fn choose<'a>(isa: &Machine, choices: impl IntoIterator<Item = &'a str>) -> Result<Self, String> {
        let mut values = vec![Some(0); isa.models.len()];
        for choice in choices {
            if choice.eq_ignore_ascii_case("all") {
                values.fill(None);
                continue;
            }
            let (name, value) = choice.split_once('=').unwrap_or((choice, ""));
            let named = |known: &str, name: &str| known.eq_ignore_ascii_case(name);
            let place = isa.models.iter().position(|model| named(model.name, name));
            let value = |place: usize| isa.models[place].values.iter().position(|known| named(known, value));
            let found = place.and_then(|place| Some((place, value(place)?)));
            let Some((place, value)) = found else {
                let known = isa.models.iter().map(|model| format!("{}={}", model.name, model.values.join("|")));
                return Err(format!("{} has the models: {}", isa.name, known.collect::<Vec<_>>().join(", ")));
            };
            values[place] = Some(value);
        }
        let chosen = isa.models.iter().zip(values).filter_map(|(model, value)| {
            let field = isa.layout.field_named(&format!("Model.{}", model.name)).expect("every model is a field");
            value.map(|value| (field.clone(), u32::try_from(value).expect("a model has few values")))
        });
        Ok(Models { chosen: chosen.collect() })
    }

    /// Whether a case that begins with this small state is asked.
    pub(crate) fn asks(&self, small: &[u8]) -> bool {
        self.chosen.iter().all(|(field, value)| field.get(small) == *value)
    }

    /// Makes a case that begins with this small state one that is asked.
    pub(crate) fn impose(&self, small: &mut [u8]) {
        self.chosen.iter().for_each(|(field, value)| field.set(small, *value));
    }

    /// As rules: what goes by another model is refused.
    pub(crate) fn rules(&self, layout: &Layout) -> Vec<Rule> {
        let fields = (layout.fields)();
        let rule = |(field, value): &(Field, u32)| {
            let place = fields.iter().position(|known| known.name == field.name)?;
            let all = vec![Atom { lens: Lens::Field(place), test: Test::Not(*value) }];
            Some(Rule { all, data: None, reason: Some(NOT_ASKED.to_string()) })
        };
        self.chosen.iter().filter_map(rule).collect()
    }
}
