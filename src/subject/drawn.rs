//! Which input set of an entry, and how it is drawn.

/// Which floats wide samples have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Floats {
    /// Every float, those that are no numbers among them.
    #[default]
    Any,
    /// Numbers of ordinary size, whose sums are rounded.
    Ordinary,
    /// Small multiples of 1/8 and small whole numbers: sums of them are exact in every order.
    Exact,
}

/// A wide sample.
#[derive(Clone, Copy, Debug)]
pub struct Wide {
    /// Its number among the wide ones.
    pub number: u32,
    /// Which floats it has.
    pub floats: Floats,
}

/// How an input set is drawn.
#[derive(Clone, Copy)]
pub enum Drawn {
    /// Small numbers; which input set.
    Usual(u32),
    Wide(Wide),
}

/// The first of the wide samples among all, which other seeds follow from.
const FIRST_WIDE: u32 = 1 << 20;

impl Drawn {
    /// The number of the sample among all.
    pub fn sample(self) -> u32 {
        match self {
            Drawn::Usual(sample) => sample,
            Drawn::Wide(wide) => FIRST_WIDE + wide.number,
        }
    }
}
