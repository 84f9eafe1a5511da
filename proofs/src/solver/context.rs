//! Contexts of Z3.

use std::cell::Cell;
use z3::Config;

thread_local! {
    static HAS_WORKED: Cell<bool> = const { Cell::new(false) };
}

/// Works in a context in which nothing was asked: what the solver answers does not depend on what was asked before.
///
/// To make one takes 9 ms, most of it for tables of 13 MB that are filled with zeros. The crate `z3` has one for each
/// thread, made when it is first needed, also where another is asked for; so the first work of a thread has that one.
pub(crate) fn in_fresh_context<R: Send + Sync>(work: impl FnOnce() -> R + Send + Sync) -> R {
    match HAS_WORKED.replace(true) {
        false => work(),
        true => z3::with_z3_config(&Config::new(), work),
    }
}

#[cfg(test)]
mod tests {
    use super::in_fresh_context;
    use z3::Context;

    #[test]
    fn no_two_works_of_a_thread_share_a_context() {
        let context = || Context::thread_local().get_z3_context().addr();
        let all = in_fresh_context(|| {
            let inner = in_fresh_context(context);
            [context(), inner, context()]
        });
        assert_eq!(all[0], all[2]);
        assert_ne!(all[0], all[1]);
        assert_ne!(all[0], in_fresh_context(context));
    }
}
