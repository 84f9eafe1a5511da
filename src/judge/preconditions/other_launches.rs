//! What a defect at one launch says of a kernel, seen beside others.

/// What came of launches as one makes them, where a defect shows at some and no condition was found that excludes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OtherLaunches {
    /// At launches of some kind nothing goes wrong, wherever one was tried.
    Held,
    /// At some nothing goes wrong, which may be luck where it hangs on what arrays hold.
    SomeRight,
    /// Of those of some kind none was seen to go wrong, and not enough runs ended to be right.
    Open,
    /// Wherever runs ended, something went wrong; or none was tried.
    Wrong,
}
