//! Kernels whose launch the file's own host code gives, beyond that launch: a proof for all launches strengthens the report,
//! and a defect is a condition. They are judged on a thread of their own while the host code is.

use super::conditions;
use super::entry::{When, judge_entry};
use super::judged::{append, empty_judgement};
use crate::input::deadline::Deadline;
use crate::input::error::{ErrorKind, InputError};
use crate::input::request::Request;
use crate::judge::overall::summarise;
use crate::subject::EntryPoint;
use crate::subject::prepared::Prepared;
use crate::subject::taken::TakenForGranted;
use gridlock_checker::report::Judgement;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError};

/// Seconds for each of these kernels.
const MOST_BEYOND: f64 = 2.0;

/// Bytes of stack: as much as a first thread has.
const STACK: usize = 8 << 20;

/// What was found beyond the launches of host code, in the order of the kernels.
#[derive(Clone)]
pub(super) struct Beyond {
    /// What is taken for granted of all entries.
    base: Judgement,
    found: Arc<Mutex<Vec<Judgement>>>,
    program: Arc<Program>,
}

impl Beyond {
    pub fn new(base: Judgement, program: Arc<Program>) -> Beyond {
        Beyond {
            base,
            found: Arc::default(),
            program,
        }
    }

    /// What was found so far, and then what was found of the other entries.
    pub fn with(&self, others: Judgement) -> Judgement {
        let mut all = self.base.clone();
        for found in self.found().iter() {
            conditions::merge(&mut all, found.clone(), &self.program);
        }
        append(&mut all, others);
        all
    }

    fn found(&self) -> std::sync::MutexGuard<'_, Vec<Judgement>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Judges these kernels while `others` is done.
    ///
    /// # Errors
    /// As [`super::check_file`].
    pub fn beside<T>(
        &self,
        (file, prepared, taken): (&str, &Prepared, &TakenForGranted),
        kernels: Vec<EntryPoint>,
        request: &Request,
        device: Option<&DeviceLimits>,
        others: impl FnOnce() -> Result<T, InputError>,
    ) -> Result<T, InputError> {
        if kernels.is_empty() {
            return others();
        }
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new()
                .name("beyond launches of host code".into())
                .stack_size(STACK)
                .spawn_scoped(scope, || {
                    self.judge((file, prepared, taken), kernels, request, device)
                })
                .map_err(|error| {
                    InputError::new(
                        ErrorKind::Internal,
                        format!("cannot start a thread: {error}"),
                    )
                })?;
            let others = others();
            match thread.join() {
                Ok(judged) => judged.and(others),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }

    fn judge(
        &self,
        (file, prepared, taken): (&str, &Prepared, &TakenForGranted),
        kernels: Vec<EntryPoint>,
        request: &Request,
        device: Option<&DeviceLimits>,
    ) -> Result<(), InputError> {
        let request = Request {
            conditional: false,
            ..request.told_to_nobody()
        };
        let (before, n_kernels) = (RefCell::default(), kernels.len());
        for (position, mut point) in kernels.into_iter().enumerate() {
            point.host_launches.clear();
            let share = request.deadline(n_kernels - position).left();
            let when = When {
                deadline: Deadline::after(MOST_BEYOND.min(share)),
                later: &[],
                before: &before,
                chosen: taken.with_chosen_numbers(point.proc),
                ahead: None,
            };
            let mut found = empty_judgement(&request);
            judge_entry(&mut found, file, prepared, &point, &request, device, &when)?;
            summarise(&mut found);
            self.found().push(found);
        }
        Ok(())
    }
}
