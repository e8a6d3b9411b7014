//! Kernels for x86-64, and what its levels do alike, each by intrinsics of its own.

/// The operators of a vector.
macro_rules! operators {
    ($vector:ident: $($trait:ident :: $method:ident is $intrinsic:ident;)*) => {
        $(
            impl $trait for $vector {
                type Output = Self;

                #[inline(always)]
                fn $method(self, other: Self) -> Self {
                    // SAFETY: the vector holds the proof that the CPU has the level.
                    $vector(unsafe { $intrinsic(self.0, other.0) }, self.1)
                }
            }
        )*

        impl Not for $vector {
            type Output = Self;

            #[inline(always)]
            fn not(self) -> Self {
                self ^ self.like(!0)
            }
        }
    };
}

/// Making, loading and storing a vector of so many lanes.
macro_rules! memory {
    ($vector:ident of $lanes:literal, $level:ident: splat is $splat:ident; load is $load:ident; store is $store:ident;) => {
        const LANES: usize = $lanes;

        #[inline(always)]
        fn level(self) -> $level {
            self.1
        }

        #[inline(always)]
        fn splat(level: $level, value: u32) -> Self {
            // SAFETY: `level`, or in the other methods a vector or a mask, proves that the CPU has it.
            $vector(unsafe { $splat(value.cast_signed()) }, level)
        }

        #[inline(always)]
        fn load(level: $level, from: &[Cell<u32>], chunk: usize) -> Self {
            let from = &from[$lanes * chunk..][..$lanes];
            // SAFETY: as above. The words are as many readable bytes as are loaded; no alignment is asked for.
            $vector(unsafe { $load(from.as_ptr().cast()) }, level)
        }

        #[inline(always)]
        fn store_all(self, to: &[Cell<u32>], chunk: usize) {
            let to = &to[$lanes * chunk..][..$lanes];
            // SAFETY: as above. The words may be written through their cells.
            unsafe { $store(to.as_ptr().cast_mut().cast(), self.0) }
        }
    };
}

/// Methods that are an intrinsic each.
macro_rules! methods {
    ($vector:ident: $($name:ident($($operand:ident),*) is $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, $($operand: Self),*) -> Self {
            // SAFETY: the vectors hold the proof that the CPU has the level.
            $vector(unsafe { $intrinsic(self.0, $($operand.0),*) }, self.1)
        }
    )*};
}

/// The same with a number, by which all lanes are shifted.
macro_rules! shifts {
    ($vector:ident: $($name:ident is $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, by: u32) -> Self {
            // SAFETY: as above.
            $vector(unsafe { $intrinsic(self.0, _mm_cvtsi32_si128(by.cast_signed())) }, self.1)
        }
    )*};
}

/// The same of floats, whose vectors are of a type of their own: how they are taken for it, and back.
macro_rules! floats {
    ($vector:ident by $to:ident and $from:ident: $($name:ident($($operand:ident),*) is $intrinsic:ident;)*) => {$(
        #[inline(always)]
        fn $name(self, $($operand: Self),*) -> Self {
            // SAFETY: the vectors hold the proof that the CPU has the level; fused steps are asked for by `is_native`.
            $vector(unsafe { $from($intrinsic($to(self.0), $($to($operand.0)),*)) }, self.1)
        }
    )*};
}

pub(crate) mod avx2;
pub(crate) mod avx512;
mod settings;
mod source;
