//! One named model for a whole run: of an instruction whose results go by named models, a foreign target is asked only
//! what it is said to follow. Everything else counts as unsupported, without being sent.

use tandem_isa::{Answers, Batch, Border, Layout, Misbehaviour, UNSUPPORTED};

use super::check;
use super::talk::malformed;
use crate::terms::{Models, NOT_ASKED};

impl Models {
    /// The way to whoever is behind `border`, for what is asked.
    #[must_use]
    pub fn before(self, border: Box<dyn Border>, layout: &'static Layout) -> Box<dyn Border> {
        if self.chosen.is_empty() {
            return border;
        }
        Box::new(ModelFilter { border, models: self, layout, asked: Vec::new(), batch: Batch::default() })
    }
}

/// A border behind which only chosen models are followed.
struct ModelFilter {
    border: Box<dyn Border>,
    models: Models,
    layout: &'static Layout,
    /// For each case of the last batch, whether it was asked.
    asked: Vec<bool>,
    /// Those that are.
    batch: Batch,
}

impl ModelFilter {
    /// Copies the cases that are asked into a batch of their own.
    fn choose(&mut self, batch: &Batch) {
        self.batch.clear();
        (self.batch.instruction, self.batch.edition) = (batch.instruction, batch.edition);
        self.batch.then.clone_from(&batch.then);
        for (case, _) in self.asked.iter().enumerate().filter(|&(_, &asked)| asked) {
            let one = batch.part(self.layout, case, case + 1);
            self.batch.cases += 1;
            self.batch.code.extend(one.code);
            self.batch.small.extend(one.small);
            self.batch.overlay_row.extend(one.overlay_row);
            self.batch.overlay_end.push(self.batch.overlay_row.len() as u32);
            self.batch.overlay_data.extend(one.overlay_data);
        }
    }

    /// Puts answers of unsupported between those of the cases that were asked. Answers that do not fit stay as they are,
    /// for whoever checks them.
    fn spread(&self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        let small_bytes = self.layout.small_bytes;
        let cases = answers.cases as usize;
        if answers.cases > self.batch.cases {
            return Err(malformed(format!("{cases} cases are answered, of a batch of {}", self.batch.cases)));
        }
        let ends = (answers.outcome.len(), answers.dirty_end.len(), answers.small.len());
        let done = if batch.then.is_empty() { 0 } else { cases };
        if ends != (cases, cases, cases * small_bytes)
            || answers.done.len() != done
            || (cases == 0 && self.batch.cases > 0)
        {
            return Ok(());
        }
        check::reasons(&answers.reasons, &answers.outcome)?;
        let mut spread = Answers::default();
        let mut given = 0;
        let said = std::mem::take(&mut answers.reasons);
        let mut reasons = said.iter().peekable();
        for (case, &asked) in self.asked.iter().enumerate() {
            if asked && given == cases {
                break;
            }
            let small = if asked { (&answers.small, given) } else { (&batch.small, case) };
            spread.small.extend_from_slice(&small.0[small.1 * small_bytes..][..small_bytes]);
            spread.outcome.push(if asked { answers.outcome[given] } else { UNSUPPORTED });
            if !batch.then.is_empty() {
                spread.done.push(if asked { answers.done[given] } else { 0 });
            }
            if !asked {
                spread.reasons.push(spread.cases, NOT_ASKED);
            } else if let Some((_, reason)) = reasons.next_if(|(of, _)| *of as usize == given) {
                spread.reasons.push(spread.cases, reason);
            }
            given += usize::from(asked);
            spread.dirty_end.push(if given == 0 { 0 } else { answers.dirty_end[given - 1] });
            spread.cases += 1;
        }
        spread.dirty_row = std::mem::take(&mut answers.dirty_row);
        spread.dirty_data = std::mem::take(&mut answers.dirty_data);
        *answers = spread;
        Ok(())
    }
}

impl Border for ModelFilter {
    fn load(&mut self, arena: &[u8]) -> Result<(), Misbehaviour> {
        self.border.load(arena)
    }

    fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
        self.asked.clear();
        self.asked.extend(batch.small.chunks_exact(self.layout.small_bytes).map(|small| self.models.asks(small)));
        if self.asked.iter().all(|&asked| asked) {
            return self.border.execute(batch, answers);
        }
        self.choose(batch);
        answers.clear();
        let sent = if self.batch.cases > 0 { self.border.execute(&self.batch, answers) } else { Ok(()) };
        sent.and_then(|()| self.spread(batch, answers)).map_err(|mut misbehaviour| {
            let asked = (0..).zip(&self.asked).filter(|&(_, &asked)| asked).map(|(case, _)| case);
            misbehaviour.case = misbehaviour.case.and_then(|case| asked.clone().nth(case as usize));
            misbehaviour
        })
    }

    fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
        self.border.arena_hash()
    }

    fn reset(&mut self) -> Result<(), Misbehaviour> {
        self.border.reset()
    }

    fn restart(&mut self) -> Result<(), Misbehaviour> {
        self.border.restart()
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::{MACHINES, Machine};

    use super::*;

    /// Answers every case with a row of its own, and counts them.
    struct Echo(u32);

    impl Border for Echo {
        fn load(&mut self, _: &[u8]) -> Result<(), Misbehaviour> {
            Ok(())
        }

        fn execute(&mut self, batch: &Batch, answers: &mut Answers) -> Result<(), Misbehaviour> {
            answers.clear();
            // It answers at most two cases at a time.
            answers.cases = batch.cases.min(2);
            for case in 0..answers.cases {
                answers.outcome.push(0);
                answers.dirty_row.push(batch.code[case as usize]);
                answers.dirty_end.push(case + 1);
                answers.dirty_data.push(7);
                if batch.code[case as usize] == 2 {
                    *answers.outcome.last_mut().expect("there is one") = UNSUPPORTED;
                    answers.reasons.push(case, "it is two");
                }
                self.0 += 1;
            }
            let bytes = batch.small.len() / batch.cases as usize * answers.cases as usize;
            answers.small.extend_from_slice(&batch.small[..bytes]);
            Ok(())
        }

        fn arena_hash(&mut self) -> Result<u32, Misbehaviour> {
            Ok(self.0)
        }

        fn reset(&mut self) -> Result<(), Misbehaviour> {
            Ok(())
        }

        fn restart(&mut self) -> Result<(), Misbehaviour> {
            Ok(())
        }
    }

    fn isa() -> &'static Machine {
        MACHINES.iter().find(|isa| !isa.models.is_empty()).expect("an instruction set has models")
    }

    #[test]
    fn choices_have_names() {
        let isa = isa();
        let model = &isa.models[0];
        let last = format!("{}={}", model.name, model.values[model.values.len() - 1]);
        let chosen = Models::choose(isa, [&*last]).expect("it has this model");
        assert_eq!(chosen.chosen.len(), isa.models.len());
        assert_eq!(chosen.chosen[0].1 as usize, model.values.len() - 1);
        assert!(Models::choose(isa, ["all"]).expect("all is a choice").chosen.is_empty());
        for wrong in ["nothing=1", model.name, &format!("{}=none", model.name)] {
            let known = Models::choose(isa, [wrong]).expect_err("there is no such model");
            assert!(known.contains(&format!("{}={}|", model.name, model.values[0])), "{known}");
        }
    }

    #[test]
    fn only_what_is_asked_is_sent() {
        let isa = isa();
        let field = isa.layout.field_named(&format!("Model.{}", isa.models[0].name)).expect("a field");
        let mut batch = Batch { cases: 7, ..Batch::default() };
        for case in 0..7 {
            let mut small = isa.base_state().small.to_vec();
            field.set(&mut small, u32::from(![1, 2, 5].contains(&case)));
            batch.code.push(case);
            batch.small.extend(small);
            batch.overlay_end.push(0);
        }
        let models = Models::choose(isa, []).expect("the first ones");
        let mut border = models.before(Box::new(Echo(0)), isa.layout);
        let mut answers = Answers::default();
        border.execute(&batch, &mut answers).expect("it answers");
        // Two were answered, and with them the others as far as the third.
        assert_eq!(answers.cases, 5);
        assert_eq!(answers.outcome, [2, 0, 2, 2, 2]);
        let reasons: Vec<_> = answers.reasons.iter().collect();
        assert_eq!(reasons, [(0, NOT_ASKED), (2, "it is two"), (3, NOT_ASKED), (4, NOT_ASKED)]);
        assert_eq!(check::reasons(&answers.reasons, &answers.outcome), Ok(()));
        assert_eq!((&answers.dirty_end[..], &answers.dirty_row[..]), (&[0, 1, 2, 2, 2][..], &[1, 2][..]));
        assert_eq!(answers.small, batch.small[..answers.small.len()]);
        assert_eq!(border.arena_hash().expect("it counts"), 2);
        let rest = batch.part(isa.layout, 5, 7);
        border.execute(&rest, &mut answers).expect("it answers");
        assert_eq!((answers.cases, &answers.outcome[..]), (2, &[0, 2][..]));
        let none = batch.part(isa.layout, 3, 5);
        border.execute(&none, &mut answers).expect("nothing is sent");
        assert_eq!((answers.cases, &answers.outcome[..]), (2, &[2, 2][..]));
        assert_eq!(border.arena_hash().expect("it counts"), 3);
    }
}
