//! `MOV`, plainly: lane by lane, with a flaw asked for at each step.
//!
//! *Source*: page MOV; the pages of what it calls for stand in the modules below.

mod channels;
mod convert;
mod float;
mod operand;

use tandem_isa::visa::operand::{DST, EXEC_SIZE, EXEC_SIZES, SRC0, SRC0_CONST, SRC0_PREDICATE, class, modifier};
use tandem_isa::visa::{DataType, Visa};
use tandem_isa::{Answer, State};

use super::{Flaw, Flaws};
use convert::Conversion;
use operand::Vector;

/// Executes one `MOV`.
pub fn execute(flaws: Flaws, code: &[u32], state: &mut State) -> Answer {
    let mut run = Run { flaws, code, visa: Visa::new(state) };
    if run.has(Flaw::ControlReservedBits) && DST.tag_rest.get(code) | SRC0.tag_rest.get(code) != 0 {
        return Answer::Unsupported;
    }
    match run.execute() {
        Some(()) => Answer::Done,
        None => Answer::Unsupported,
    }
}

/// Where the source elements come from.
enum Source {
    /// A general or indirect operand.
    Vector(Vector),
    /// The same bits for every lane.
    Immediate(u64),
    /// A predicate as a number.
    Predicate(u64),
}

/// One execution.
struct Run<'a> {
    flaws: Flaws,
    code: &'a [u32],
    visa: Visa<'a>,
}

impl Run<'_> {
    fn has(&self, flaw: Flaw) -> bool {
        self.flaws.has(flaw)
    }

    /// Nothing if the code words mean nothing.
    fn execute(&mut self) -> Option<()> {
        let exec_size = EXEC_SIZES[EXEC_SIZE.get(self.code) as usize]?;
        let destination = self.vector(&DST)?;
        let (source, data_type) = self.source()?;
        let modifiers = match source {
            Source::Vector(_) => SRC0.modifiers.get(self.code),
            Source::Immediate(_) | Source::Predicate(_) => modifier::NONE,
        };
        let conversion = Conversion {
            from: data_type,
            to: destination.data_type,
            abs: [modifier::ABS, modifier::NEG_ABS].contains(&modifiers),
            negate: [modifier::NEG, modifier::NEG_ABS].contains(&modifiers),
            saturate: DST.modifiers.get(self.code) == modifier::SAT,
        };

        let enabled = self.enabled(exec_size);
        let num_lanes = exec_size + u32::from(self.has(Flaw::LaneBeyond));
        let mut lanes: Vec<u32> = (0..num_lanes).collect();
        if self.has(Flaw::WriteWhileReadingBackwards) {
            lanes.reverse();
        }
        let at_once = self.has(Flaw::WriteWhileReading) || self.has(Flaw::WriteWhileReadingBackwards);
        // Everything is read before anything is written.
        let mut results = Vec::with_capacity(lanes.len());
        for lane in lanes {
            if self.has(Flaw::HalvesInOrder) && lane == 16 {
                self.write_all(&destination, &mut results);
            }
            if enabled >> lane & 1 != 0 {
                let bits = self.read_lane(&source, &conversion, exec_size, lane);
                results.push((lane, self.convert(&conversion, bits)));
            } else if self.has(Flaw::DisabledZeroed) {
                results.push((lane, 0));
            } else if self.has(Flaw::DisabledBroadcast) {
                let bits = self.read_lane(&source, &conversion, exec_size, 0);
                results.push((lane, self.convert(&conversion, bits)));
            } else if self.has(Flaw::ControlDisabledRead) {
                self.read_lane(&source, &conversion, exec_size, lane);
            }
            if at_once {
                self.write_all(&destination, &mut results);
            }
        }
        self.write_all(&destination, &mut results);
        Some(())
    }

    /// The source and its type.
    fn source(&self) -> Option<(Source, DataType)> {
        match SRC0.class.get(self.code) {
            class::GENERAL | class::INDIRECT => {
                let mut vector = self.vector(&SRC0)?;
                if self.has(Flaw::IndirectTypeOfVariable) && SRC0.class.get(self.code) == class::INDIRECT {
                    vector.data_type = DataType::of_code(u32::from(self.visa.small.variables[0].data_type));
                }
                let data_type = vector.data_type;
                Some((Source::Vector(vector), data_type))
            }
            class::IMMEDIATE => {
                let data_type = DataType::of_code(SRC0_CONST.data_type.get(self.code));
                Some((Source::Immediate(self.immediate(data_type)), data_type))
            }
            class::PREDICATE => Some((Source::Predicate(self.predicate_value()?), DataType::Ud)),
            _ => None,
        }
    }

    /// The constant; types of up to 32 bits have no high word.
    fn immediate(&self, data_type: DataType) -> u64 {
        let low = SRC0_CONST.low.get(self.code);
        if data_type.bits() < 64 {
            return u64::from(low);
        }
        let (low, high) = match SRC0_CONST.high.get(self.code) {
            _ if self.has(Flaw::ImmediateHighLost) => (low, 0),
            _ if self.has(Flaw::ImmediateHighSign) => (low, if low >> 31 != 0 { u32::MAX } else { 0 }),
            high if self.has(Flaw::ImmediateHalvesSwapped) => (high, low),
            high => (low, high),
        };
        u64::from(high) << 32 | u64::from(low)
    }

    /// The declared elements of the predicate source, element 0 lowest.
    fn predicate_value(&self) -> Option<u64> {
        let predicate = self.predicate(SRC0_PREDICATE.id.get(self.code))?;
        let count = 1 << predicate.log2_num_elements.min(5);
        let declared = u64::MAX >> (64 - count);
        let elements = u64::from(predicate.value) & declared;
        Some(if self.has(Flaw::PredicateSourceShifted) {
            elements << 1
        } else if self.has(Flaw::PredicateSourceComplemented) {
            !elements & declared
        } else if self.has(Flaw::PredicateSourceMirrored) {
            elements.reverse_bits() >> (64 - count)
        } else if self.has(Flaw::PredicateSourceUndeclared) {
            u64::from(predicate.value)
        } else if self.has(Flaw::PredicateSourceSigned) && elements >> (count - 1) != 0 {
            elements | !declared
        } else if self.has(Flaw::PredicateSourceAny) {
            u64::from(elements != 0)
        } else if self.has(Flaw::ControlPredicateSourceOffset) {
            elements >> self.mask_offset()
        } else {
            elements
        })
    }

    /// The bits of a lane's source element, zero above its type.
    fn read_lane(&mut self, source: &Source, conversion: &Conversion, exec_size: u32, lane: u32) -> u64 {
        let lane = if self.has(Flaw::UpperLanesRepeat) && exec_size == 32 { lane % 16 } else { lane };
        match source {
            Source::Vector(vector) => {
                let address = self.source_address(vector, conversion, exec_size, lane);
                self.read_element(address, vector.data_type.bytes())
            }
            Source::Immediate(_) if self.has(Flaw::ImmediateNotBroadcast) && lane != 0 => 0,
            Source::Immediate(bits) => bits & (u64::MAX >> (64 - conversion.from.bits())),
            Source::Predicate(value) => *value,
        }
    }

    /// Writes what was computed, lowest lane first, and forgets it.
    fn write_all(&mut self, destination: &Vector, results: &mut Vec<(u32, u64)>) {
        results.sort_unstable();
        for (lane, bits) in results.drain(..) {
            let address = self.destination_address(destination, lane);
            self.write_element(address, destination.data_type.bytes(), bits);
        }
    }
}
