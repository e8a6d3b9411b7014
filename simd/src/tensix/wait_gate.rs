//! The Wait Gate: what the current thread has latched holds some of its instructions until nothing that it waits for is so.
//!
//! Most threads have latched nothing, and for them it is one comparison. Else the gate looks at the conditions that the
//! state has: who owns the banks that the Unpackers and the Matrix Unit are at, the semaphores, and what a stream of the NoC
//! says. If none says to keep on waiting, the instruction passes, and what was latched is forgotten, unless the instruction is
//! held by itself, or not done. If one does, the block mask decides.
//!
//! What differs from the pages (STALLWAIT and SEMWAIT of each chip, STREAMWAIT), and why it is equal:
//! 1. The gate is asked once for each instruction, where the pages have it look in every cycle: nothing changes in between.
//! 2. Units have no instruction in flight, and no request outstanding, so of `STALLWAIT` the four conditions about owners
//!    are all there are. They stand beside one another.
//! 3. A wait instruction that never takes the place of another one is held by any that is latched, whichever bits are set.
//! 4. Both registers of a stream are compared, and the mask takes one.
//! 5. Each semaphore gives both conditions a bit, whether it is selected or not, and masks take what is asked for.

use tandem_isa::tensix::config::blackhole::stream_id_sync_bank_sel;
use tandem_isa::tensix::wait_gate::Unit;
use tandem_isa::tensix::{Chip, Latched, MATRIX_UNIT, Small, Tensix, UNPACKERS};

use super::instruction::thread_of;

/// What the gate does with an instruction of a thread that has latched a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gate {
    /// It is held.
    Holds,
    /// It passes, and the wait goes on.
    LetsPass,
    /// It passes, and the wait is forgotten.
    Opens,
}

/// What the current thread has latched, to look at or to change.
#[inline(always)]
pub(crate) fn latched(small: &mut Small) -> &mut Latched {
    &mut small.latched[thread_of(small)]
}

/// What the gate does with an instruction of the current thread, which has latched a wait.
pub(crate) fn look(chip: Chip, unit: Unit, tensix: &mut Tensix<'_>) -> Gate {
    // A core's own access does not come here.
    if unit == Unit::Core {
        return Gate::LetsPass;
    }
    let latched = *latched(tensix.small);
    let is_blocked = latched.block_mask & unit.block_bits() != 0 || unit == Unit::Waits;
    match (keeps_waiting(chip, latched, tensix), is_blocked) {
        (false, _) => Gate::Opens,
        (true, true) => Gate::Holds,
        (true, false) => Gate::LetsPass,
    }
}

/// Whether a condition of what is latched says to keep on waiting.
fn keeps_waiting(chip: Chip, latched: Latched, tensix: &mut Tensix<'_>) -> bool {
    let asked = |condition: usize| (latched.condition_mask >> condition) & 1;
    if latched.opcode == Latched::STREAMWAIT {
        let words = &tensix.small.thread_config[thread_of(tensix.small)];
        let stream = stream_id_sync_bank_sel((latched.stream_select & 3) as usize).get(words);
        let [phase, messages] = tensix.noc_stream(stream as usize).map(|said| u32::from(said < latched.target_value));
        return asked(0) & phase | asked(1) & messages != 0;
    }
    let small = &*tensix.small;
    if latched.opcode == Latched::STALLWAIT {
        let [unpacker0, unpacker1] = small.unpackers_src_bank;
        let (srca, srcb) = (&small.srca_allowed_client, &small.srcb_allowed_client);
        let owners = [
            (srca, unpacker0, UNPACKERS),
            (srcb, unpacker1, UNPACKERS),
            (srca, small.matrix_unit_srca_bank, MATRIX_UNIT),
            (srcb, small.matrix_unit_srcb_bank, MATRIX_UNIT),
        ];
        let first = chip.pick(8, 5);
        return owners.into_iter().enumerate().any(|(number, (clients, bank, owner))| {
            asked(first + number) != 0 && clients[(bank & 1) as usize] != owner
        });
    }
    let (mut empty, mut full) = (0, 0);
    for (number, semaphore) in small.semaphores.iter().enumerate() {
        empty |= u32::from(semaphore.value == 0) << number;
        full |= u32::from(semaphore.value >= semaphore.max) << number;
    }
    let asked = |condition| asked(condition).wrapping_neg();
    (empty & asked(0) | full & asked(1)) & latched.semaphore_mask != 0
}
