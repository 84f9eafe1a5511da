//! A listener that is told what is established while the rest is still being judged: a process that
//! has to stop a judgement from outside then loses nothing of it.

use gridlock_checker::report::Judgement;
use std::fmt;
use std::sync::Arc;

/// What is called with the judgement as it stands. A property of it that is `unknown` without a reason is still
/// being judged.
type Listener = dyn Fn(&Judgement) + Send + Sync;

/// A listener, or none.
#[derive(Clone, Default)]
pub struct Told(Option<Arc<Listener>>);

impl Told {
    /// `listener` is called, from any thread, whenever something was established.
    pub fn new(listener: impl Fn(&Judgement) + Send + Sync + 'static) -> Told {
        Told(Some(Arc::new(listener)))
    }

    /// The same, told of what `whole` makes of a judgement.
    pub fn through(&self, whole: impl Fn(Judgement) -> Judgement + Send + Sync + 'static) -> Told {
        match self.0.clone() {
            None => Told::default(),
            Some(listener) => Told::new(move |judgement| listener(&whole(judgement.clone()))),
        }
    }

    /// Tells; `judgement` makes what is told, where there is a listener.
    pub fn tell(&self, judgement: impl FnOnce() -> Judgement) {
        if let Some(listener) = &self.0 {
            listener(&judgement());
        }
    }
}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(_) => "Told(a listener)",
            None => "Told(no listener)",
        })
    }
}
