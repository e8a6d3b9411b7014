//! The macro.

/// One `#[test]` for each instruction, of an implementation in Rust.
///
/// The argument is what makes a fresh instance: a function or a closure without captures that gives a
/// [`Target`](tandem_isa::Target). Write it once, in a file of `tests/` or in a module of tests:
///
/// ```
/// # mod my_emulator {
/// #     pub fn new() -> Emulator { Emulator }
/// #     pub struct Emulator;
/// #     impl tandem_isa::Target for Emulator {
/// #         fn info(&self) -> tandem_isa::TargetInfo { unimplemented!() }
/// #         fn implements(&self, _: &'static tandem_isa::Facts) -> bool { false }
/// #         fn execute(&mut self, _: &tandem_isa::Step<'_>, _: &mut tandem_isa::State) -> tandem_isa::Answer { unimplemented!() }
/// #     }
/// # }
/// tandem::conformance!(my_emulator::new);
/// # fn main() {}
/// ```
///
/// It makes the modules `tensix_wh`, `tensix_bh` and `visa`, with a test of each of their instructions, so that
/// `cargo test tensix_wh::mova2d` runs one. A test of an instruction that [`Target::implements`](tandem_isa::Target::implements)
/// denies passes, and says on standard error that it is `not implemented`. One more test, `implements_something`, fails if
/// nothing is implemented. Several implementations are each in a module of their own.
///
/// A test fails with what differs, the page and its lines, the command that runs it again, and its smallest case as a test to
/// paste, which calls [`replays`](crate::replays). Variables of the environment change what it runs:
///
/// | Variable | For each instruction |
/// |---|---|
/// | `TANDEM_SEED` | the seed, 1 if nothing is said |
/// | `TANDEM_CASES` | the number of cases, 20,000 if nothing is said |
/// | `TANDEM_SECONDS` | a time in place of a number of cases |
#[macro_export]
macro_rules! conformance {
    ($make:expr $(,)?) => {
        #[cfg(test)]
        #[track_caller]
        fn tandem_conforms(path: &str, test: &str) {
            let called = $crate::conformance::Called { make: ::core::stringify!($make), test };
            $crate::conformance::assert_instruction($make, path, called);
        }

        #[test]
        fn implements_something() {
            $crate::conformance::assert_something($make, ::core::stringify!($make));
        }

        #[cfg(test)]
        mod tensix_wh {
            $crate::conformance::__tensix_instructions!($crate::__conformance_of_wormhole);
        }

        #[cfg(test)]
        mod tensix_bh {
            $crate::conformance::__tensix_instructions!($crate::__conformance_of_blackhole);
        }

        #[cfg(test)]
        mod visa {
            $crate::__conformance_of!("visa/" mov);
            $crate::__conformance_of!("visa/" dpas);
        }
    };
}

/// The tests of what Wormhole has, of the list of `tensix_instructions!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_of_wormhole {
    ($($mnemonic:ident $name:literal $module:ident::$file:ident [$($chip:ident)*] $summary:literal;)*) => {
        $($crate::__conformance_on!(Wormhole $file [$($chip)*]);)*
    };
}

/// The tests of what Blackhole has.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_of_blackhole {
    ($($mnemonic:ident $name:literal $module:ident::$file:ident [$($chip:ident)*] $summary:literal;)*) => {
        $($crate::__conformance_on!(Blackhole $file [$($chip)*]);)*
    };
}

/// The test of one instruction on a chip, if the chip has it.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_on {
    (Wormhole $file:ident [Wormhole $($chip:ident)?]) => {
        $crate::__conformance_of!("tensix-wh/" $file);
    };
    (Wormhole $file:ident [Blackhole]) => {};
    (Blackhole $file:ident [$(Wormhole)? Blackhole]) => {
        $crate::__conformance_of!("tensix-bh/" $file);
    };
    (Blackhole $file:ident [Wormhole]) => {};
}

/// The test of one instruction.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_of {
    ($isa:literal $file:ident) => {
        #[test]
        fn $file() {
            let test = ::core::concat!(::core::module_path!(), "::", ::core::stringify!($file));
            super::tandem_conforms(::core::concat!($isa, ::core::stringify!($file)), test);
        }
    };
}
