//! Sets as sorted vectors: small, quick to unite, and in the same order everywhere.

/// A set, sorted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Sorted<T>(Vec<T>);

impl<T> Default for Sorted<T> {
    fn default() -> Sorted<T> {
        Sorted(Vec::new())
    }
}

impl<T: Ord + Copy> Sorted<T> {
    /// Of elements that are in order already, each once.
    pub fn ascending(elements: impl IntoIterator<Item = T>) -> Sorted<T> {
        let elements: Vec<T> = elements.into_iter().collect();
        debug_assert!(elements.is_sorted_by(|before, after| before < after), "in order, each once");
        Sorted(elements)
    }

    /// Its elements, ascending.
    pub fn as_slice(&self) -> &[T] {
        &self.0
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether this is one of them.
    pub fn contains(&self, element: &T) -> bool {
        self.0.binary_search(element).is_ok()
    }

    /// The elements, ascending.
    pub fn iter(&self) -> std::iter::Copied<std::slice::Iter<'_, T>> {
        self.0.iter().copied()
    }

    /// Adds one.
    pub fn insert(&mut self, element: T) -> bool {
        match self.0.binary_search(&element) {
            Ok(_) => false,
            Err(at) => {
                self.0.insert(at, element);
                true
            }
        }
    }

    /// Adds all of another set; whether any was new.
    pub fn unite(&mut self, other: &Sorted<T>) -> bool {
        if other.0.is_empty() {
            return false;
        }
        let before = self.0.len();
        // Sorting finds the two runs and merges them.
        self.0.extend_from_slice(&other.0);
        self.0.sort();
        self.0.dedup();
        self.0.len() > before
    }

    /// Whether all elements are in another set.
    pub fn is_subset(&self, other: &Sorted<T>) -> bool {
        let mut rest = other.0.iter();
        self.len() <= other.len() && self.0.iter().all(|element| rest.any(|other| other == element))
    }
}

impl<T: Ord + Copy> FromIterator<T> for Sorted<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Sorted<T> {
        let mut elements: Vec<T> = elements.into_iter().collect();
        elements.sort_unstable();
        elements.dedup();
        Sorted(elements)
    }
}

impl<T: Ord + Copy> Extend<T> for Sorted<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        let other: Sorted<T> = elements.into_iter().collect();
        self.unite(&other);
    }
}

impl<'a, T: Ord + Copy> IntoIterator for &'a Sorted<T> {
    type Item = T;
    type IntoIter = std::iter::Copied<std::slice::Iter<'a, T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::Sorted;

    fn set(elements: &[i32]) -> Sorted<i32> {
        elements.iter().copied().collect()
    }

    #[test]
    fn it_is_a_set() {
        let mut all = set(&[3, 1, 3]);
        assert!(all.unite(&set(&[2, 3])) && !all.unite(&set(&[1, 2])));
        assert!(all.insert(9) && !all.insert(9));
        assert_eq!(all.as_slice(), [1, 2, 3, 9]);
        assert!(all.contains(&2) && !all.contains(&4));
        assert!(set(&[1, 9]).is_subset(&all) && !set(&[1, 4]).is_subset(&all) && set(&[]).is_subset(&all));
    }
}
