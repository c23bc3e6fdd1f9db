//! Sets of things with small numbers, as bits: 64 elements are united at a time, and iteration is in order.
//!
//! The tests of a JVM enter the same few thousand methods thousands of times. Consequences of a set of
//! methods (the classes they initialise, the questions to ask) are the union of the consequences of each
//! method. They are therefore computed for 64 neighbouring methods together and cached; the next test with
//! the same 64 reuses the result.

use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

/// Something identified by a small number.
pub trait Indexed: Copy {
    /// The element's number.
    fn number(self) -> usize;
    /// The element with this number.
    fn of(number: usize) -> Self;
}

impl Indexed for usize {
    fn number(self) -> usize {
        self
    }

    fn of(number: usize) -> usize {
        number
    }
}

impl Indexed for u32 {
    fn number(self) -> usize {
        self as usize
    }

    fn of(number: usize) -> u32 {
        number as u32
    }
}

/// The index of an element's word, and its bit in the word.
fn place<T: Indexed>(element: T) -> (usize, u64) {
    (element.number() / 64, 1 << (element.number() % 64))
}

/// A set that grows: one bit for every number up to its largest.
#[derive(Clone, Debug)]
pub struct BitSet<T = usize> {
    words: Vec<u64>,
    of: PhantomData<T>,
}

impl<T> Default for BitSet<T> {
    fn default() -> BitSet<T> {
        BitSet { words: Vec::new(), of: PhantomData }
    }
}

impl<T: Indexed> BitSet<T> {
    /// Adds an element; returns whether it is new.
    pub fn insert(&mut self, element: T) -> bool {
        let (at, bit) = place(element);
        let word = self.word_mut(at);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Removes an element.
    pub fn remove(&mut self, element: T) {
        let (at, bit) = place(element);
        if let Some(word) = self.words.get_mut(at) {
            *word &= !bit;
        }
    }

    /// Whether it has an element.
    pub fn contains(&self, element: T) -> bool {
        let (at, bit) = place(element);
        self.word(at) & bit != 0
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Adds all elements of another set; returns whether any is new.
    pub fn unite(&mut self, other: &BitSet<T>) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut new = 0;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            new |= more & !*word;
            *word |= more;
        }
        new != 0
    }

    /// Adds all elements of a sparse set.
    pub fn add(&mut self, packed: &SparseBitSet<T>) {
        for (at, bits) in &packed.words {
            *self.word_mut(*at as usize) |= bits;
        }
    }

    /// Removes the elements that another set does not have.
    pub fn keep(&mut self, other: &BitSet<T>) {
        self.words.truncate(other.words.len());
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// The elements that another set does not have.
    pub fn without(mut self, other: &BitSet<T>) -> BitSet<T> {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
        self
    }

    /// Whether another set has all elements of this one.
    pub fn is_within(&self, other: &BitSet<T>) -> bool {
        self.words.iter().enumerate().all(|(at, word)| word & !other.word(at) == 0)
    }

    /// Whether no element is in both.
    pub fn is_disjoint(&self, other: &BitSet<T>) -> bool {
        self.words.iter().enumerate().all(|(at, word)| word & other.word(at) == 0)
    }

    /// All elements in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = T> + '_ {
        let words = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
        words.flat_map(|(at, word)| WordBits { at, rest: *word, of: PhantomData })
    }

    /// The same elements in the compact form for storage.
    pub fn pack(&self) -> SparseBitSet<T> {
        let words = self.words.iter().enumerate().filter(|(_, word)| **word != 0);
        SparseBitSet { words: words.map(|(at, word)| (at as u32, *word)).collect(), of: PhantomData }
    }

    fn word(&self, at: usize) -> u64 {
        self.words.get(at).copied().unwrap_or(0)
    }

    fn word_mut(&mut self, at: usize) -> &mut u64 {
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        self.words.get_mut(at).expect("just made")
    }
}

impl<T: Indexed> Extend<T> for BitSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| _ = self.insert(element));
    }
}

impl<T: Indexed> FromIterator<T> for BitSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> BitSet<T> {
        let mut marks = BitSet::default();
        marks.extend(elements);
        marks
    }
}

/// The elements of one word, from either end.
struct WordBits<T> {
    at: usize,
    rest: u64,
    of: PhantomData<T>,
}

impl<T: Indexed> Iterator for WordBits<T> {
    type Item = T;

    fn next(&mut self) -> Option<T> {
        let bit = (self.rest != 0).then(|| self.rest.trailing_zeros() as usize)?;
        self.rest &= self.rest - 1;
        Some(T::of(self.at * 64 + bit))
    }
}

impl<T: Indexed> DoubleEndedIterator for WordBits<T> {
    fn next_back(&mut self) -> Option<T> {
        let bit = (self.rest != 0).then(|| 63 - self.rest.leading_zeros() as usize)?;
        self.rest &= !(1 << bit);
        Some(T::of(self.at * 64 + bit))
    }
}

/// A compact set for storage: only the non-empty words, in ascending order.
#[derive(Clone, Debug)]
pub struct SparseBitSet<T = usize> {
    words: Vec<(u32, u64)>,
    of: PhantomData<T>,
}

impl<T> Default for SparseBitSet<T> {
    fn default() -> SparseBitSet<T> {
        SparseBitSet { words: Vec::new(), of: PhantomData }
    }
}

impl<T> PartialEq for SparseBitSet<T> {
    fn eq(&self, other: &SparseBitSet<T>) -> bool {
        self.words == other.words
    }
}

impl<T> Eq for SparseBitSet<T> {}

impl<T> Hash for SparseBitSet<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.words.hash(state);
    }
}

impl<T: Indexed> SparseBitSet<T> {
    /// Adds an element; returns whether it is new.
    pub fn insert(&mut self, element: T) -> bool {
        let (at, bit) = place(element);
        match self.words.binary_search_by_key(&(at as u32), |(at, _)| *at) {
            Ok(found) => self.words.get_mut(found).is_some_and(|(_, word)| {
                let is_new = *word & bit == 0;
                *word |= bit;
                is_new
            }),
            Err(place) => {
                self.words.insert(place, (at as u32, bit));
                true
            }
        }
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.words.iter().map(|(_, word)| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Adds all elements of another set.
    pub fn unite(&mut self, other: &SparseBitSet<T>) {
        if self.words.is_empty() {
            self.words.clone_from(&other.words);
        } else if !other.words.is_empty() {
            let mut marks = BitSet::default();
            marks.add(self);
            marks.add(other);
            *self = marks.pack();
        }
    }

    /// All elements in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.words.iter().flat_map(|(at, word)| WordBits { at: *at as usize, rest: *word, of: PhantomData })
    }
}

impl<T: Indexed> Extend<T> for SparseBitSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        let marks: BitSet<T> = elements.into_iter().collect();
        self.unite(&marks.pack());
    }
}

impl<T: Indexed> FromIterator<T> for SparseBitSet<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> SparseBitSet<T> {
        elements.into_iter().collect::<BitSet<T>>().pack()
    }
}

/// Caches the consequences of the elements of sets, for 64 neighbours at a time.
pub struct ClosureCache<A, B> {
    known: RefCell<FxHashMap<(u32, u64), SparseBitSet<B>>>,
    /// The number of cached words.
    size: Cell<usize>,
    of: PhantomData<A>,
}

/// The number of cached words at which the cache is cleared: 4 MB.
const ROOM: usize = 1 << 18;

impl<A, B> Default for ClosureCache<A, B> {
    fn default() -> ClosureCache<A, B> {
        ClosureCache { known: RefCell::default(), size: Cell::new(0), of: PhantomData }
    }
}

impl<A: Indexed, B: Indexed> ClosureCache<A, B> {
    /// The consequences of all elements of a set. `one` adds those of one element and must be deterministic.
    pub fn all(&self, from: &BitSet<A>, one: impl FnMut(A, &mut BitSet<B>)) -> BitSet<B> {
        let mut into = BitSet::default();
        self.follow(from, &mut BitSet::default(), &mut into, one);
        into
    }

    /// Adds the consequences of the elements that are not in `followed` yet.
    pub fn follow(
        &self,
        from: &BitSet<A>,
        followed: &mut BitSet<A>,
        into: &mut BitSet<B>,
        mut one: impl FnMut(A, &mut BitSet<B>),
    ) {
        for (at, word) in from.words.iter().enumerate() {
            if word & !followed.word(at) == 0 {
                continue;
            }
            *followed.word_mut(at) |= word;
            let key = (at as u32, *word);
            if let Some(known) = self.known.borrow().get(&key) {
                into.add(known);
                continue;
            }
            let mut found = BitSet::default();
            let bits = WordBits { at, rest: *word, of: PhantomData };
            bits.for_each(|element| one(element, &mut found));
            let found = found.pack();
            into.add(&found);
            self.remember(key, found);
        }
    }

    /// Clears the cache, because the consequences will differ from now on.
    pub fn forget(&self) {
        self.known.borrow_mut().clear();
        self.size.set(0);
    }

    fn remember(&self, key: (u32, u64), found: SparseBitSet<B>) {
        // Four words for the key and its table slot.
        let size = self.size.get() + found.words.len() + 4;
        if size > ROOM {
            self.forget();
            return;
        }
        self.size.set(size);
        self.known.borrow_mut().insert(key, found);
    }
}

#[cfg(test)]
mod tests {
    use super::{BitSet, ClosureCache, SparseBitSet};
    use std::cell::Cell;

    #[test]
    fn it_is_a_set_in_order() {
        let mut marks: BitSet = BitSet::default();
        for number in [700, 3, 64, 63, 0] {
            assert!(marks.insert(number) && !marks.insert(number));
        }
        assert_eq!(marks.iter().collect::<Vec<_>>(), [0, 3, 63, 64, 700]);
        assert_eq!(marks.iter().rev().collect::<Vec<_>>(), [700, 64, 63, 3, 0]);
        assert_eq!(marks.len(), 5);
        assert!(marks.contains(64) && !marks.contains(65) && !marks.contains(9999));
        let mut others: BitSet = BitSet::default();
        assert!(others.is_empty() && others.is_within(&marks) && !marks.is_within(&others));
        others.insert(65);
        assert!(others.unite(&marks) && !others.unite(&marks) && marks.is_within(&others));
        assert_eq!(others.iter().collect::<Vec<_>>(), [0, 3, 63, 64, 65, 700]);
        assert_eq!(others.clone().without(&marks).iter().collect::<Vec<_>>(), [65]);
        others.keep(&[3, 65, 800].into_iter().collect());
        others.remove(3);
        assert_eq!(others.iter().collect::<Vec<_>>(), [65]);
    }

    #[test]
    fn packed_sets_are_the_same_sets() {
        let mut packed: SparseBitSet = [900, 3].into_iter().collect();
        assert!(packed.insert(70) && packed.insert(71) && !packed.insert(3));
        packed.unite(&[3, 5, 10_000].into_iter().collect());
        assert_eq!(packed.iter().collect::<Vec<_>>(), [3, 5, 70, 71, 900, 10_000]);
        let mut marks: BitSet = BitSet::default();
        marks.add(&packed);
        assert_eq!(marks.pack(), packed);
        assert!(!packed.is_empty() && SparseBitSet::<usize>::default().is_empty());
    }

    #[test]
    fn what_follows_is_found_once_for_the_same_neighbours() {
        let follows: ClosureCache<usize, usize> = ClosureCache::default();
        let asked = Cell::new(0);
        let double = |number: usize, into: &mut BitSet| {
            asked.set(asked.get() + 1);
            into.insert(number * 2);
        };
        let one: BitSet = [1, 2, 100].into_iter().collect();
        assert_eq!(follows.all(&one, double).iter().collect::<Vec<_>>(), [2, 4, 200]);
        assert_eq!(asked.get(), 3);
        // The first word is as before; the second is not.
        let other: BitSet = [1, 2, 100, 101].into_iter().collect();
        let (mut followed, mut into) = (BitSet::default(), BitSet::default());
        follows.follow(&other, &mut followed, &mut into, double);
        assert_eq!(into.iter().collect::<Vec<_>>(), [2, 4, 200, 202]);
        assert_eq!(asked.get(), 5);
        follows.follow(&other, &mut followed, &mut into, |_, _| panic!("all of it was followed"));
        follows.forget();
        follows.all(&one, double);
        assert_eq!(asked.get(), 8);
    }
}
