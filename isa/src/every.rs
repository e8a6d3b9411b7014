//! Lists of all values of an enum, and enums whose values have words.

/// All values of an enum, in an array. The same list makes a `match`, so that a value that is forgotten does not compile.
/// Values that hold something stand behind `but`, and are not in the array.
///
/// ```
/// enum Side { Left, Right, Within(u8) }
/// let sides = tandem_isa::every!(Side { Left, Right } but Within);
/// assert_eq!(sides.len(), 2);
/// ```
#[macro_export]
macro_rules! every {
    ($Type:ident { $($One:ident),+ $(,)? } $(but $($Other:ident),+)?) => {{
        let _ = |one: &$Type| match one {
            $($Type::$One => (),)+
            $($($Type::$Other(..) => (),)+)?
        };
        [$($Type::$One),+]
    }};
}

/// An enum whose values have words, a row a value: beside it come the list of all values, and what tells the word of
/// one; or each of its two words.
///
/// ```
/// tandem_isa::worded! {
///     /// Where one turns.
///     #[derive(Clone, Copy, Debug)]
///     pub enum Side {
///         /// Where the heart is.
///         Left "left",
///         /// The other one.
///         Right "right",
///     }
///     /// The word for reports.
///     fn name;
/// }
/// assert_eq!(Side::ALL.map(Side::name), ["left", "right"]);
/// ```
#[macro_export]
macro_rules! worded {
    (
        $(#[$meta:meta])* $vis:vis enum $Type:ident {
            $($(#[$of_one:meta])* $One:ident $(= $code:literal)? $first:literal $second:literal),+ $(,)?
        }
        $(#[$of_first:meta])* fn $tell_first:ident;
        $(#[$of_second:meta])* fn $tell_second:ident;
    ) => {
        $crate::worded! {
            $(#[$meta])* $vis enum $Type { $($(#[$of_one])* $One $(= $code)? $first),+ }
            $(#[$of_first])* fn $tell_first;
        }

        impl $Type {
            $(#[$of_second])*
            #[must_use]
            pub const fn $tell_second(self) -> &'static str {
                match self {
                    $($Type::$One => $second),+
                }
            }
        }
    };
    (
        $(#[$meta:meta])* $vis:vis enum $Type:ident {
            $($(#[$of_one:meta])* $One:ident $(= $code:literal)? $word:literal),+ $(,)?
        }
        $(#[$of_word:meta])* fn $tell:ident;
    ) => {
        $(#[$meta])*
        $vis enum $Type {
            $($(#[$of_one])* $One $(= $code)?),+
        }

        impl $Type {
            /// All of them, in their order.
            pub const ALL: [$Type; [$($word),+].len()] = [$($Type::$One),+];

            $(#[$of_word])*
            #[must_use]
            pub const fn $tell(self) -> &'static str {
                match self {
                    $($Type::$One => $word),+
                }
            }
        }
    };
}
