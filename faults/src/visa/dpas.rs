//! `DPAS`, plainly: repeat by repeat and channel by channel, with a flaw asked for at each step.
//!
//! *Source*: page DPAS; page Operands (raw and general operands); for what the page leaves open, the
//! [models](tandem_isa::visa::model) that a case names.

mod exact;
mod float;
mod integer;
mod place;
mod sum;

use tandem_isa::visa::model::OneBit;
use tandem_isa::visa::operand::dpas::{A, DEPTHS, RC, SD, W};
use tandem_isa::visa::operand::{EXEC_MASK, EXEC_SIZE, EXEC_SIZES, NO_MASK};
use tandem_isa::visa::precision::{Precision, PrecisionKind};
use tandem_isa::visa::{DISPATCH_SIZES, DataType, GRF_SIZES, PRE_XEHP, Visa};
use tandem_isa::{Answer, State};

use super::{Flaw, Flaws};
use place::Places;

/// Whether it is written.
pub const IS_IMPLEMENTED: bool = true;

/// Executes one `DPAS`.
pub fn execute(flaws: Flaws, code: &[u32], state: &mut State) -> Answer {
    let mut run = Run { flaws, code, visa: Visa::new(state) };
    match run.execute() {
        Some(()) => Answer::Done,
        None => Answer::Unsupported,
    }
}

/// What is multiplied, and how much of it.
#[derive(Clone, Copy)]
struct Shape {
    /// N: the channels, which are the columns of `Src1` and of the destination.
    channels: usize,
    /// Bytes of a register.
    register: usize,
    /// Steps of a row.
    depth: usize,
    /// M: the rows of `Src2` and of the destination.
    repeat: usize,
    /// The page's `OPS_PER_CHAN`: products of a channel at each depth.
    ops: usize,
    /// The precision of `Src1`.
    w: Precision,
    /// The precision of `Src2`.
    a: Precision,
}

impl Shape {
    /// K: the products of an element of the result.
    fn terms(&self) -> usize {
        self.depth * self.ops
    }

    /// The page's `SRC1_OPERANDS_PER_CHAN`: depths that a double word of `Src1` lasts for.
    fn depths_per_dword(&self) -> usize {
        (32 / (self.ops * self.w.bits() as usize)).max(1)
    }

    fn is_float(&self) -> bool {
        self.w.kind() == PrecisionKind::Float
    }
}

/// A row of the result: which, and the bits of its elements.
type ResultRow = (usize, Vec<u32>);

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
        let shape = self.shape()?;
        let places = self.places(&shape)?;
        if matches!(shape.w, Precision::Bf8 | Precision::Hf8) {
            self.write_row(&shape, &places, (0, vec![0; shape.channels]));
            return Some(());
        }

        let backwards = self.has(Flaw::DpasWriteWhileReadingBackwards);
        let at_once = backwards || self.has(Flaw::DpasWriteWhileReading);
        let mut repeats: Vec<usize> = (0..shape.repeat).collect();
        if backwards {
            repeats.reverse();
        }
        // Everything is read before anything is written.
        let mut weights = self.weights(&shape, &places, 0);
        let mut results: Vec<ResultRow> = Vec::new();
        for repeat in repeats {
            if at_once || self.has(Flaw::DpasWeightsAdvance) {
                weights = self.weights(&shape, &places, repeat);
            }
            let row = self.row(&shape, &places, &weights, (repeat, results.last()));
            results.push((repeat, row));
            if at_once {
                self.write_all(&shape, &places, &mut results);
            }
        }
        self.write_all(&shape, &places, &mut results);
        Some(())
    }

    /// One repeat: a row of `Src2` times all columns of `Src1`, on top of a row of `Src0`.
    fn row(
        &mut self,
        shape: &Shape,
        places: &Places,
        weights: &[Vec<u32>],
        (repeat, before): (usize, Option<&ResultRow>),
    ) -> Vec<u32> {
        let activations = self.activations(shape, places, repeat);
        let by_channel: Vec<Vec<u32>> = if self.has(Flaw::DpasActivationsByChannel) {
            (0..shape.channels).map(|channel| self.activations(shape, places, channel % shape.repeat)).collect()
        } else {
            Vec::new()
        };
        let mut accumulators = self.accumulators(shape, places, repeat);
        if let Some((_, before)) = before.filter(|_| self.has(Flaw::DpasAccumulatorCarried)) {
            accumulators.clone_from(before);
        }
        let channels = accumulators.iter().zip(weights).enumerate();
        let sums = channels.map(|(channel, (&accumulator, weights))| {
            let activations = by_channel.get(channel).unwrap_or(&activations);
            if shape.is_float() {
                self.float_sum(shape, places, accumulator, activations, weights)
            } else {
                self.integer_sum(shape, places, accumulator, activations, weights)
            }
        });
        sums.collect()
    }

    /// The shape; nothing if there is no such arithmetic.
    fn shape(&self) -> Option<Shape> {
        let code = self.code;
        let register = GRF_SIZES[self.visa.small.grf_size as usize & 1];
        let mut channels = EXEC_SIZES[EXEC_SIZE.get(code) as usize]? as usize;
        if self.has(Flaw::DpasControlChannels) {
            channels = register / 4;
        }
        let (w, a) = self.precisions()?;
        Some(Shape { channels, register, depth: self.depth()?, repeat: self.repeat(), ops: self.ops(w, a), w, a })
    }

    /// Two integers, or twice the same float.
    fn precisions(&self) -> Option<(Precision, Precision)> {
        let mut w = Precision::of_code(W.get(self.code))?;
        let mut a = Precision::of_code(A.get(self.code))?;
        if self.has(Flaw::DpasPrecisionsSwapped) {
            std::mem::swap(&mut w, &mut a);
        }
        let is_float = |precision: Precision| precision.kind() == PrecisionKind::Float;
        let is_small_float = |precision| matches!(precision, Precision::Bf8 | Precision::Hf8);
        let is_small = is_small_float(w) && is_small_float(a);
        if (is_float(w) || is_float(a)) && w != a && !is_small {
            return None;
        }
        if is_small && !self.has(Flaw::DpasControlSmallFloats) {
            return None;
        }
        let is_one_bit = w.bits() == 1 || a.bits() == 1;
        let by_table = self.visa.small.model_one_bit() == OneBit::Table;
        (!(is_one_bit && by_table && self.has(Flaw::DpasControlOneBit))).then_some((w, a))
    }

    fn depth(&self) -> Option<usize> {
        let mut depth = SD.get(self.code);
        if !DEPTHS.contains(&depth) {
            depth = if self.has(Flaw::DpasControlDepth) { 8 } else { return None };
        }
        let lacks_depth = depth < 8 && self.visa.small.platform != PRE_XEHP;
        if lacks_depth && self.has(Flaw::DpasControlXehpDepth) {
            return None;
        }
        Some(if self.has(Flaw::DpasDepthIgnored) {
            8
        } else if self.has(Flaw::DpasDepthOneLess) {
            depth as usize - 1
        } else if self.has(Flaw::DpasDepthOneMore) {
            depth as usize + 1
        } else {
            depth as usize
        })
    }

    fn repeat(&self) -> usize {
        let repeat = RC.get(self.code) as usize;
        if self.has(Flaw::DpasRepeatIgnored) {
            8
        } else if self.has(Flaw::DpasRepeatOneLess) {
            repeat.saturating_sub(1)
        } else if self.has(Flaw::DpasRepeatOneMore) {
            repeat + 1
        } else if self.has(Flaw::DpasRepeatThreeBits) {
            repeat % 8
        } else {
            repeat
        }
    }

    /// The page's `OPS_PER_CHAN`.
    fn ops(&self, w: Precision, a: Precision) -> usize {
        let (w, a) = if self.has(Flaw::DpasOpsByWeights) {
            (w, w)
        } else if self.has(Flaw::DpasOpsByActivations) {
            (a, a)
        } else {
            (w, a)
        };
        if w == Precision::Tf32 {
            if self.has(Flaw::DpasTf32Pairs) { 2 } else { 1 }
        } else if w.bits() == 16 {
            2
        } else if w.bits() == 8 || a.bits() == 8 {
            if self.has(Flaw::DpasOpsEightForMixed) && w.bits() != a.bits() { 8 } else { 4 }
        } else if self.has(Flaw::DpasOpsFourAlways) {
            4
        } else {
            8
        }
    }

    /// Writes rows of the result, the first repeat first, and forgets them.
    fn write_all(&mut self, shape: &Shape, places: &Places, results: &mut Vec<ResultRow>) {
        results.sort_unstable();
        for row in results.drain(..) {
            self.write_row(shape, places, row);
        }
    }

    fn write_row(&mut self, shape: &Shape, places: &Places, (repeat, row): ResultRow) {
        let dispatched = DISPATCH_SIZES[self.visa.small.dispatch_size.min(2) as usize] as usize;
        for (channel, bits) in row.into_iter().enumerate() {
            let em_enables = self.visa.small.em >> channel & 1 != 0;
            let is_dropped = (self.has(Flaw::DpasLastChannelDropped) && channel == shape.channels - 1)
                || (self.has(Flaw::DpasHighChannelsDropped) && channel >= 8)
                || (self.has(Flaw::DpasPlatformCuts) && channel >= 8 && self.visa.small.platform == PRE_XEHP)
                || (self.has(Flaw::DpasDispatchCuts) && channel >= dispatched / 2)
                || (self.has(Flaw::DpasEmObeyed) && !em_enables)
                || (self.has(Flaw::DpasControlMasks) && !em_enables && EXEC_MASK.get(self.code) & NO_MASK == 0)
                || (self.has(Flaw::DpasPredicateObeyed) && self.visa.small.predicates[0].value >> channel & 1 == 0);
            if is_dropped {
                continue;
            }
            let is_cleared =
                (self.has(Flaw::DpasHighChannelsZero) && channel >= 8) || (self.has(Flaw::DpasEmZeroes) && !em_enables);
            self.write_result(shape, places, (repeat, channel), if is_cleared { 0 } else { bits });
        }
    }

    /// Whether a type of the destination or of the accumulator is one that the arithmetic can have.
    fn is_usable(shape: &Shape, data_type: DataType) -> bool {
        if shape.is_float() {
            matches!(data_type, DataType::F | DataType::Hf | DataType::Bf)
        } else {
            matches!(data_type, DataType::D | DataType::Ud)
        }
    }
}
