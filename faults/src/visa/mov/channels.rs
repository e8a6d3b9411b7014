//! Which channels are enabled.
//!
//! *Source*: pages Operands (`EvaluateChEn`) and Execution Model (execution mask).

use tandem_isa::visa::operand::{EXEC_MASK, MASK_OFFSETS, NO_MASK, PRED, SRC0, class, combine};
use tandem_isa::visa::{DISPATCH_SIZES, PredicateVariable};

use super::{Flaw, Run};

impl Run<'_> {
    /// The enabled channels, bit = channel.
    pub(super) fn enabled(&self, exec_size: u32) -> u64 {
        let lanes = u32::MAX >> (32 - exec_size);
        let is_predicate_source = SRC0.class.get(self.code) == class::PREDICATE;
        let predicate = self.predicate(PRED.id.get(self.code)).filter(|_| !is_predicate_source);
        let unmasked = (self.has(Flaw::PredicateSourceUnmasked) && is_predicate_source)
            || (self.has(Flaw::PredicateReplacesEm) && predicate.is_some());

        let em = if unmasked { lanes } else { self.em_slice(exec_size) };
        let no_mask = EXEC_MASK.get(self.code) & NO_MASK != 0;
        let ignored = self.has(Flaw::PredicateIgnored) || (self.has(Flaw::NmWithoutPredicate) && no_mask);
        let mut enabled = match predicate {
            Some(predicate) if !ignored => em & self.predicate_slice(predicate, exec_size, em),
            _ => em,
        };

        if self.has(Flaw::NeedleLane31) {
            enabled |= em & 1 << 31;
        }
        if self.has(Flaw::LastLaneDropped) && exec_size > 1 {
            enabled &= lanes >> 1;
        }
        if self.has(Flaw::UpperLanesDropped) {
            enabled &= 0xffff;
        }
        if self.has(Flaw::DispatchCutsLanes) && self.visa.small.dispatch_size == 0 {
            enabled &= 0xf;
        }
        u64::from(enabled) | u64::from(self.has(Flaw::LaneBeyond)) << exec_size
    }

    /// The first channel and predicate element that the mask control selects.
    pub(super) fn mask_offset(&self) -> u32 {
        MASK_OFFSETS[(EXEC_MASK.get(self.code) & !NO_MASK) as usize]
    }

    /// The predicate variable of a number; none for P0, and none if it is not declared.
    pub(super) fn predicate(&self, id: u32) -> Option<PredicateVariable> {
        let index = if self.has(Flaw::PredicateAlwaysP1) { id.min(1) } else { id }.checked_sub(1)?;
        self.visa.small.predicates.get(index as usize).copied()
    }

    fn em_slice(&self, exec_size: u32) -> u32 {
        let lanes = u32::MAX >> (32 - exec_size);
        let no_mask = EXEC_MASK.get(self.code) & NO_MASK != 0;
        if (no_mask && !self.has(Flaw::NmMasked)) || self.has(Flaw::EmIgnored) {
            return lanes;
        }
        let mut em = self.visa.small.em;
        if self.has(Flaw::EmHighHalfLost) {
            em &= 0xffff;
        }
        let mut offset = self.mask_offset();
        if self.has(Flaw::EmOffsetIgnored) {
            offset = 0;
        } else if self.has(Flaw::EmOffsetDoubled) {
            offset *= 2;
        } else if self.has(Flaw::NeedleLastMask) {
            offset = offset.min(24);
        } else if self.has(Flaw::DispatchAlignsEm) {
            let dispatched = DISPATCH_SIZES.get(self.visa.small.dispatch_size as usize).copied().unwrap_or(32);
            offset += 32 - dispatched;
        }
        let slice = em.checked_shr(offset).unwrap_or(0) & lanes;
        if self.has(Flaw::EmMirrored) {
            mirrored(slice, exec_size)
        } else if self.has(Flaw::EmInverted) {
            !slice & lanes
        } else {
            slice
        }
    }

    /// What the predicate allows; `em` are the channels that EM enables.
    fn predicate_slice(&self, predicate: PredicateVariable, exec_size: u32, em: u32) -> u32 {
        let lanes = u32::MAX >> (32 - exec_size);
        let no_mask = EXEC_MASK.get(self.code) & NO_MASK != 0;
        let from_zero = self.has(Flaw::PredicateOffsetIgnored) || (self.has(Flaw::NmPredicateOffsetIgnored) && no_mask);
        let offset = if from_zero { 0 } else { self.mask_offset() };
        let mut slice = predicate.value >> offset & lanes;
        if self.has(Flaw::PredicateMirrored) {
            slice = mirrored(slice, exec_size);
        }

        let mut inverse = PRED.inverse.get(self.code) != 0 && !self.has(Flaw::InverseIgnored);
        if inverse && self.has(Flaw::InverseBeforeCombine) {
            slice = !slice & lanes;
            inverse = false;
        }
        let counted = if self.has(Flaw::CombineOverEnabled) { em } else { lanes };
        let any = if self.has(Flaw::AnyOverVariable) { predicate.value != 0 } else { slice & counted != 0 };
        let all =
            if self.has(Flaw::AllOverVariable) { predicate.value == u32::MAX } else { slice & counted == counted };
        let every = |value: bool| if value { lanes } else { 0 };
        let mut allowed = match PRED.combine.get(self.code) {
            combine::ANY if self.has(Flaw::AnySequential) => slice,
            combine::ALL if self.has(Flaw::AllSequential) => slice,
            combine::ANY => every(if self.has(Flaw::AnyAllSwapped) { all } else { any }),
            combine::ALL => every(if self.has(Flaw::AnyAllSwapped) { any } else { all }),
            _ => slice,
        };
        if self.has(Flaw::InverseSequentialOnly) && PRED.combine.get(self.code) != combine::SEQUENTIAL {
            inverse = false;
        }
        if inverse {
            allowed = !allowed & lanes;
        }
        allowed
    }
}

/// The lowest `exec_size` bits in reverse order.
fn mirrored(slice: u32, exec_size: u32) -> u32 {
    slice.reverse_bits() >> (32 - exec_size)
}
