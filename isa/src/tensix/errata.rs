use crate::Erratum;
pub(super) static ERRATA: &[Erratum] = &[];
