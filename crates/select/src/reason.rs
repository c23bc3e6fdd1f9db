//! Typed reasons of recording: why a test always runs, and why the tests of a class are selected together.
//!
//! `report` has the sentences. The store keeps them as text, because a later version may have other reasons.

use crate::static_graph::StaticGap;
use tamis_catalog::frameworks::SharedState;

/// Why a test runs whatever its facts are.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AlwaysReason {
    /// The agent could not see something; its own words.
    Gap(String),
    /// It read a file and wrote it afterwards.
    ReadThenWritten(String),
    /// It started this program.
    StartsProcess(String),
    /// It connected to this host.
    Connects(String),
    /// Its class is not on the class path.
    ClassNotFound(String),
    /// Its method was not entered, but it was reported as passed.
    NotEntered(String),
    /// This file or directory changed while tests ran.
    ChangedMeanwhile(String),
    /// A class file could not be read, although its class was loaded.
    ClassFileUnreadable(String),
    /// A static graph cannot follow this, and the test may use it.
    Unfollowed(StaticGap),
    /// A constant got another value by reflection.
    ConstantSet(String),
    /// Its class is defined in a library, and some suites that may run it were not seen.
    UnseenSuites {
        /// The class.
        class: String,
        /// Why they were not seen.
        cause: UnseenSuites,
    },
}

/// Why some suites that may run a library's test were not seen.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum UnseenSuites {
    /// The tests that the JVM was asked to run are not known.
    RequestUnknown,
    /// A failed test may have stopped others.
    TestFailed,
    /// This suite did not run in the JVM.
    NotRun(String),
}

/// Why the tests of a class are selected together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WholeReason {
    /// The user asked for classes.
    Requested,
    /// Its framework names no methods.
    NoMethods,
    /// Its class file was not found.
    ClassNotFound,
    /// An annotation makes its tests share something.
    Annotated(SharedState),
    /// A setting of the framework makes all tests share something.
    Setting(&'static str),
    /// One of its tests changes a default of the JDK and does not restore it.
    LeavesDefault,
    /// Its tests share this static field.
    SharedField(String),
    /// One of its tests reads this file, which another writes.
    SharedFile(String),
    /// It is defined in a library.
    InLibrary,
    /// The reason that was recorded.
    Recorded(String),
    /// It was recorded as one, and the reason is not known.
    RecordedAsOne,
}
