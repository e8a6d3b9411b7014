//! Constant lists whose length comes of what they are made of.

/// A list with room for `N` items.
#[derive(Clone, Copy)]
pub(crate) struct List<T, const N: usize> {
    items: [T; N],
    len: usize,
}

impl<T: Copy, const N: usize> List<T, N> {
    /// No items; the room is filled with any.
    pub(crate) const fn new(any: T) -> Self {
        List { items: [any; N], len: 0 }
    }

    pub(crate) const fn push(&mut self, item: T) {
        self.items[self.len] = item;
        self.len += 1;
    }

    /// The list with more items at its end.
    pub(crate) const fn with(mut self, items: &[T]) -> Self {
        let mut index = 0;
        while index < items.len() {
            self.push(items[index]);
            index += 1;
        }
        self
    }

    pub(crate) const fn items(&self) -> &[T] {
        self.items.split_at(self.len).0
    }
}
