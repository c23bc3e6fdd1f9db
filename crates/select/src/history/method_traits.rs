//! The yes-or-no properties of a method, as bits.

/// Yes-or-no properties of a method.
#[derive(Clone, Copy, Default)]
pub(super) struct TraitBits(u16);

impl TraitBits {
    pub(super) const KNOWN: u16 = 1;
    pub(super) const CONSTRUCTOR: u16 = 2;
    pub(super) const NEEDS_OBJECT: u16 = 4;
    pub(super) const STATEFUL: u16 = 8;
    pub(super) const NEAR: u16 = 16;
    pub(super) const FILLS_OWN: u16 = 32;
    pub(super) const MAKES: u16 = 64;
    pub(super) const IS_STATIC: u16 = 128;
    pub(super) const GIVEN_NOTHING: u16 = 256;
    pub(super) const INITIALISER: u16 = 512;
    pub(super) const BEFORE: u16 = 1024;
    pub(super) const AFTER: u16 = 2048;
    pub(super) const PLAIN: u16 = 4096;
    pub(super) const ASSIGNS: u16 = 8192;

    pub(super) fn of(parts: &[(bool, u16)]) -> TraitBits {
        TraitBits(parts.iter().filter(|(has, _)| *has).fold(TraitBits::KNOWN, |all, (_, bit)| all | bit))
    }

    pub(super) fn has(self, bit: u16) -> bool {
        self.0 & bit != 0
    }

    pub(super) fn is_constructor(self) -> bool {
        self.has(TraitBits::CONSTRUCTOR)
    }

    pub(super) fn is_static(self) -> bool {
        self.has(TraitBits::IS_STATIC)
    }

    /// Whether it is in the source code, and is called on an object.
    pub(super) fn needs_object(self) -> bool {
        self.has(TraitBits::NEEDS_OBJECT)
    }

    /// Whether it names a static field in which a test may leave something, loggers excluded.
    pub(super) fn is_stateful(self) -> bool {
        self.has(TraitBits::STATEFUL)
    }

    /// Whether it names such a field, or calls a method that does.
    pub(super) fn reaches_state(self) -> bool {
        self.has(TraitBits::NEAR)
    }

    /// Whether such a field belongs to its own class and does not hold an object of the project, which would
    /// be followed by its methods.
    pub(super) fn fills_own(self) -> bool {
        self.has(TraitBits::FILLS_OWN)
    }

    /// Whether it assigns a static field in which a test may leave something, outside the initialiser of the
    /// field's class.
    pub(super) fn assigns(self) -> bool {
        self.has(TraitBits::ASSIGNS)
    }

    pub(super) fn is_initialiser(self) -> bool {
        self.has(TraitBits::INITIALISER)
    }

    /// Whether it is static and has no parameters.
    pub(super) fn is_given_nothing(self) -> bool {
        self.has(TraitBits::GIVEN_NOTHING)
    }

    /// Whether a test framework calls it before a test, or after a test whatever its outcome.
    pub(super) fn is_fixture(self) -> bool {
        self.has(TraitBits::BEFORE | TraitBits::AFTER)
    }

    /// Whether a test framework calls it after a test, whatever the outcome.
    pub(super) fn is_tear_down(self) -> bool {
        self.has(TraitBits::AFTER)
    }

    /// Whether all its calls stay in the project, or are known to cause no further calls.
    pub(super) fn is_plain(self) -> bool {
        self.has(TraitBits::PLAIN)
    }

    /// Whether it instantiates its own class or interfaces.
    pub(super) fn makes(self) -> bool {
        self.has(TraitBits::MAKES)
    }
}
