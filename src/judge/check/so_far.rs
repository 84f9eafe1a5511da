//! What is told of a judgement while one of its entries is being judged.

use super::table::Table;
use super::unasked;
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint, premises};
use gridlock_checker::report::{Judgement, Subject, SubjectLaunch};
use gridlock_checker::verdict::{PropertyResult, Verdict};
use gridlock_semantics::algebra::ids::ProcId;

/// The entry being judged and those that come after it.
#[derive(Clone, Copy)]
pub(super) struct SoFar<'a> {
    pub file: &'a str,
    pub prepared: &'a Prepared,
    pub point: &'a EntryPoint,
    pub request: &'a Request,
    pub later: &'a [ProcId],
}

impl SoFar<'_> {
    /// Tells what `judgement` says of entries judged before, and `table` of this one.
    pub fn tell(&self, judgement: &Judgement, table: &Table) {
        self.request.told.tell(|| {
            let program = &self.prepared.surface;
            let (mut told, mut table) = (judgement.clone(), table.clone());
            unasked::leave_defects_open(&mut table, &mut told, self.point, self.request, program);
            table.so_far(told.subjects.len(), &mut told);
            let launch = subject::describe(program, self.point);
            told.subjects.push(self.subject(self.point.proc, launch));
            for &proc in self.later {
                let index = told.subjects.len();
                told.subjects
                    .push(self.subject(proc, SubjectLaunch::default()));
                let mut properties = premises::applicable(program, proc, false);
                if let Some(named) = &self.request.properties {
                    properties.retain(|property| named.contains(property));
                }
                let open = properties.into_iter().map(|kind| PropertyResult {
                    subject: index,
                    kind,
                    verdict: Verdict::Unknown,
                    reason: None,
                    assurance: None,
                    engine: None,
                    explanation: String::new(),
                });
                told.properties.extend(open);
            }
            told
        });
    }

    fn subject(&self, proc: ProcId, launch: SubjectLaunch) -> Subject {
        Subject {
            file: self.file.to_owned(),
            kernel: self.prepared.surface.proc(proc).name.to_string(),
            launch,
            inputs: "not chosen yet".to_owned(),
            host_launches: Vec::new(),
            host_tried: None,
        }
    }
}
