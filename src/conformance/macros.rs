//! The macro.

/// One `#[test]` for each class of modes of each instruction, of an implementation in Rust.
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
/// It makes the modules `tensix_wh`, `tensix_bh` and `visa`, with a module of each of their instructions, and in it a test of
/// each class of its modes, so that `cargo test tensix_wh::mova2d` runs those of one. The tests of an instruction share one
/// run. In each of the three modules is a test `programs` besides: programs of 2 to 16 steps of all instructions that there are,
/// for what one leaves behind for the next. The tests of an instruction that [`Target::implements`](tandem_isa::Target::implements) denies pass, as those of classes
/// that it refuses, and say so on standard error. One more test, `implements_something`, fails if nothing is implemented.
/// Several implementations are each in a module of their own.
///
/// A test fails with what differs, the page and its lines, the command that runs it again, and its smallest case as a test to
/// paste, which calls [`replays`](crate::replays). Variables of the environment change what it runs:
///
/// | Variable | For each instruction |
/// |---|---|
/// | `TANDEM_SEED` | the seed, 1 if nothing is said |
/// | `TANDEM_CASES` | the number of cases, 20,000 if nothing is said, and that of programs of an instruction set |
/// | `TANDEM_SECONDS` | a time in place of a number of cases |
#[macro_export]
macro_rules! conformance {
    ($make:expr $(,)?) => {
        #[cfg(test)]
        #[track_caller]
        fn tandem_conforms(path: &'static str, class: &str, test: &str) {
            static RUNS: $crate::conformance::Runs = $crate::conformance::Runs::new();
            let called = $crate::conformance::Called { make: ::core::stringify!($make), test };
            $crate::conformance::assert_class(&RUNS, $make, path, class, called);
        }

        #[cfg(test)]
        #[track_caller]
        fn tandem_conforms_in_programs(isa: &str, test: &str) {
            let called = $crate::conformance::Called { make: ::core::stringify!($make), test };
            $crate::conformance::assert_programs($make, &isa.replace('_', "-"), called);
        }

        #[test]
        fn implements_something() {
            $crate::conformance::assert_something($make, ::core::stringify!($make));
        }

        $crate::__conformance_classes!($crate::__conformance_tests);
    };
}

/// The tests of what the list of `__conformance_classes!` names.
#[doc(hidden)]
#[macro_export]
macro_rules! __conformance_tests {
    ($($isa:ident { $($path:literal $file:ident { $($test:ident $class:literal)* })* })*) => {$(
        #[cfg(test)]
        mod $isa {
            #[test]
            fn programs() {
                let test = ::core::concat!(::core::module_path!(), "::programs");
                super::tandem_conforms_in_programs(::core::stringify!($isa), test);
            }

            $(mod $file {$(
                #[test]
                fn $test() {
                    let test = ::core::concat!(::core::module_path!(), "::", ::core::stringify!($test));
                    super::super::tandem_conforms($path, $class, test);
                }
            )*})*
        }
    )*};
}
