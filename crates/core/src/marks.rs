//! Sets of small numbers as bits: adding one that is there costs next to nothing, and they come out in order.

/// A set of numbers.
#[derive(Clone, Debug, Default)]
pub struct Marks(Vec<u64>);

impl Marks {
    /// Adds a number; whether it is new.
    pub fn insert(&mut self, number: usize) -> bool {
        let (word, bit) = (number / 64, 1 << (number % 64));
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        let Some(word) = self.0.get_mut(word) else { return false };
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Whether it has a number.
    pub fn contains(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// How many it has.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Adds all of another set.
    pub fn unite(&mut self, other: &Marks) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }

    /// All numbers, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * 64 + bit)
            })
        })
    }
}

/// A set of things that have numbers, which remembers in which order it grew.
pub struct Grown<T> {
    marks: Marks,
    list: Vec<T>,
}

impl<T> Default for Grown<T> {
    fn default() -> Grown<T> {
        Grown { marks: Marks::default(), list: Vec::new() }
    }
}

impl<T: Copy> Grown<T> {
    /// Adds an element that has this number; whether it is new.
    pub fn insert_at(&mut self, number: usize, element: T) -> bool {
        let is_new = self.marks.insert(number);
        if is_new {
            self.list.push(element);
        }
        is_new
    }

    /// Whether it has the element of this number.
    pub fn contains(&self, number: usize) -> bool {
        self.marks.contains(number)
    }

    /// Their numbers, ascending.
    pub fn numbers(&self) -> &Marks {
        &self.marks
    }

    /// In the order in which they came.
    pub fn list(&self) -> &[T] {
        &self.list
    }
}

/// Something that has a number of its own.
pub trait Numbered: Copy {
    /// It.
    fn number(self) -> usize;
}

impl Numbered for u32 {
    fn number(self) -> usize {
        self as usize
    }
}

impl<T: Numbered> Grown<T> {
    /// Adds an element; whether it is new.
    pub fn insert(&mut self, element: T) -> bool {
        self.insert_at(element.number(), element)
    }

    /// Whether an element is in it.
    pub fn has(&self, element: T) -> bool {
        self.contains(element.number())
    }
}

impl<T: Numbered> Extend<T> for Grown<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| _ = self.insert(element));
    }
}

#[cfg(test)]
mod tests {
    use super::Marks;

    #[test]
    fn it_is_a_set_in_order() {
        let mut marks = Marks::default();
        for number in [700, 3, 64, 63, 0] {
            assert!(marks.insert(number) && !marks.insert(number));
        }
        assert_eq!(marks.iter().collect::<Vec<_>>(), [0, 3, 63, 64, 700]);
        assert_eq!(marks.len(), 5);
        assert!(marks.contains(64) && !marks.contains(65) && !marks.contains(9999));
        let mut others = Marks::default();
        assert!(others.is_empty());
        others.insert(65);
        others.unite(&marks);
        assert_eq!(others.iter().collect::<Vec<_>>(), [0, 3, 63, 64, 65, 700]);
    }
}
