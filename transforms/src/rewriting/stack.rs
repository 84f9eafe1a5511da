//! A stack of one's own. Strategies call each other and terms stand inside each other; how deep is limited, and
//! this is room for it, whichever thread asks.

use crate::rewriting::record::TransformError;

/// Bytes: several times what the limits of [`crate::rewriting::rewriter`] let unoptimised code use.
const STACK: usize = 64 << 20;

/// Runs something deep, and waits for it.
pub fn deeply<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T, TransformError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name("rewriting".into())
            .stack_size(STACK)
            .spawn_scoped(scope, run)
            .map_err(|error| TransformError::NoThread(error.to_string()))?;
        match thread.join() {
            Ok(result) => Ok(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
