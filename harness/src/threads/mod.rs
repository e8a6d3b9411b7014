//! Programs of threads that run side by side on one state.
//!
//! 1. **Read** ([`Kernel`]): a file of JSON lines has a list of acts for each thread. The front end expands what it expands.
//! 2. **Search** ([`explore`]): all orders in which the acts can come, up to a depth. After each act every gate looks at what
//!    it has latched. Orders that lead to one state, with the same things known to be through, are followed once; an act that
//!    nothing that is left of the other threads can meet comes first, and alone.
//! 3. **Order** (`order`): units work at their own pace, so an act may still be at work when its thread goes on. What is known
//!    to be through before what is kept beside the state: acts of one thread in one unit, what a wait waited for, what was
//!    given from hand to hand by an owner, a semaphore or a mutex. Two acts that touch one thing, one of them writing it,
//!    with no order between them, are a *race*. Without races each order of the machine is one of those that are searched.
//! 4. **Name** ([`Found`]): each finding once, with the shortest order that shows it.
//! 5. **Run beside a target** ([`lockstep`]): one order, act by act, to the first difference.
//!
//! What an act does is asked of [`tandem_isa::Threads`]; nothing here knows a register.

mod explore;
mod kernel;
mod lockstep;
mod mutate;
mod order;
mod trace;

pub use explore::{
    End, Explored, Found, FoundKind, Hold, Scheduled, SearchLimits, Turn, explore, observe_order, scheduled,
};
pub use kernel::{Kernel, KernelError, KernelIsa, KernelLine};
pub use lockstep::{Lockstep, LockstepEnd, LockstepLimits, Mismatch, lockstep, member, shorter};
pub use mutate::{Mutant, mutants};
pub use trace::trace;
