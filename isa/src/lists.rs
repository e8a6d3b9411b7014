//! Constant lists that are made of others.

/// How long some lists are together.
#[must_use]
pub const fn total<T>(lists: &[&[T]]) -> usize {
    let (mut total, mut list) = (0, 0);
    while list < lists.len() {
        total += lists[list].len();
        list += 1;
    }
    total
}

/// Some lists as one, which begins as any elements. `N` is their [`total`].
///
/// # Panics
/// If it is not.
#[must_use]
pub const fn join<T: Copy, const N: usize>(any: T, lists: &[&[T]]) -> [T; N] {
    let mut all = [any; N];
    let (mut place, mut list) = (0, 0);
    while list < lists.len() {
        let mut index = 0;
        while index < lists[list].len() {
            all[place] = lists[list][index];
            place += 1;
            index += 1;
        }
        list += 1;
    }
    assert!(place == N, "N is the total");
    all
}
