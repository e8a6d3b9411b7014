//! Lists of all values of an enum.

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
