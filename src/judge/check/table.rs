//! The table property × what was established, while it is filled.

use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{EntryPoint, premises};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::Judgement;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::host_launch::{Caller, HostTried};
use gridlock_checker::verdict::{Assurance, Engine, Property, PropertyResult, Reason, Verdict};

#[derive(Clone, Debug)]
struct Row {
    property: Property,
    verdict: Verdict,
    reason: Option<Reason>,
    assurance: Option<Assurance>,
    engine: Option<Engine>,
    explanation: String,
    /// The runs do not decide it, whatever they decide of others.
    left_open: bool,
    /// Its premise is not there: nothing is said of it, unless a proof's candidate shows a defect.
    only_if_shown: bool,
}

impl Row {
    fn leave_refuted_open(&mut self, reason: Reason, why: &str) {
        if self.verdict == Verdict::Refuted {
            self.verdict = Verdict::Unknown;
            self.reason = Some(reason);
            self.assurance = None;
            self.engine = None;
            self.explanation = why.to_owned();
            self.only_if_shown = false;
        }
    }

    /// What was shown of it does not show under a condition, and more is not judged.
    fn hold_where(&mut self, condition: &str) {
        self.verdict = Verdict::Conditional;
        self.reason = None;
        self.assurance = None;
        self.engine = None;
        self.explanation = format!(
            "where {condition}: nothing is shown; no extent is given, so no more is judged"
        );
    }
}

#[derive(Clone, Debug)]
pub(super) struct Table {
    rows: Vec<Row>,
    defects: Vec<Defect>,
    /// What was seen at launches of host code.
    host_tried: Option<HostTried>,
}

impl Table {
    pub fn new(properties: Vec<Property>) -> Table {
        let rows = properties.into_iter().map(|property| Row {
            property,
            verdict: Verdict::Unknown,
            reason: Some(Reason::NotAttempted),
            assurance: None,
            engine: None,
            explanation: "no engine tried".to_owned(),
            left_open: false,
            only_if_shown: false,
        });
        Table {
            rows: rows.collect(),
            defects: Vec::new(),
            host_tried: None,
        }
    }

    /// Adds a property that is not judged, and refuted all the same if a defect of it is shown.
    pub fn add_only_if_shown(&mut self, property: Property) {
        let mut row = Table::new(vec![property]).rows.remove(0);
        row.only_if_shown = true;
        self.rows.push(row);
    }

    fn judged(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(|r| !r.only_if_shown)
    }

    /// What is asked of an entry, of which nothing is established.
    pub fn of(prepared: &Prepared, point: &EntryPoint, request: &Request) -> Table {
        let program = &prepared.surface;
        let mut applicable = premises::applicable(
            program,
            point.proc,
            !point.extents.is_empty() || !point.nulls.is_empty(),
        );
        if point.has_unset_contents() && !applicable.contains(&Property::UninitialisedReads) {
            applicable.push(Property::UninitialisedReads);
        }
        let asked: Vec<Property> = match &request.properties {
            Some(named) => applicable
                .into_iter()
                .filter(|p| named.contains(p))
                .collect(),
            None => applicable,
        };
        let mut table = Table::new(asked);
        // How far arguments reach is not known, but where they begin is.
        if request.properties.is_none() && !table.asks_about(Property::Bounds) {
            table.add_only_if_shown(Property::Bounds);
        }
        table
    }

    pub fn is_proved(&self) -> bool {
        self.judged().next().is_some() && self.judged().all(|r| r.verdict == Verdict::Proved)
    }

    pub fn is_proved_of(&self, property: Property) -> bool {
        let mut rows = self.rows.iter().filter(|r| r.property == property);
        rows.any(|r| r.verdict == Verdict::Proved)
    }

    pub fn asks_about(&self, property: Property) -> bool {
        self.judged().any(|r| r.property == property)
    }

    pub fn is_refuted_of(&self, property: Property) -> bool {
        self.rows
            .iter()
            .any(|r| r.property == property && r.verdict == Verdict::Refuted)
    }

    /// Whether nothing more is to be found out about a property: it is refuted, left open, or not asked
    /// about.
    pub fn is_closed(&self, property: Property) -> bool {
        let row = self.rows.iter().find(|r| r.property == property);
        row.is_none_or(|r| r.verdict == Verdict::Refuted || r.left_open)
    }

    /// The properties of which samples showed no defect, and nothing more is known.
    pub fn passed(&self) -> Vec<Property> {
        let passed = self.rows.iter().filter(|r| r.verdict == Verdict::Passed);
        passed.map(|r| r.property).collect()
    }

    /// What samples said of a property does not count any more: it is open, for this reason.
    pub fn take_back(&mut self, property: Property, reason: Reason, why: String) {
        let passed = |r: &&mut Row| r.property == property && r.verdict == Verdict::Passed;
        if let Some(row) = self.rows.iter_mut().find(passed) {
            row.verdict = Verdict::Unknown;
            row.assurance = None;
            row.engine = None;
        }
        self.leave_open(property, reason, why);
    }

    /// Why what samples show of properties was not proved for all inputs.
    pub fn tell_what_is_open(&mut self, properties: &[Property], why: &str) {
        let passed =
            |r: &&mut Row| properties.contains(&r.property) && r.verdict == Verdict::Passed;
        for row in self.rows.iter_mut().filter(passed) {
            row.explanation
                .push_str(&format!("; not proved for all inputs: {why}"));
        }
    }

    /// Whether something is proved.
    pub fn has_proof(&self) -> bool {
        self.judged().any(|r| r.verdict == Verdict::Proved)
    }

    /// What was proved is open, for this reason.
    pub fn doubt_proofs(&mut self, reason: Reason, why: &str) {
        let proved = |r: &&mut Row| r.verdict == Verdict::Proved;
        for row in self.rows.iter_mut().filter(proved) {
            row.verdict = Verdict::Unknown;
            row.reason = Some(reason);
            row.assurance = None;
            row.engine = None;
            row.explanation = why.to_owned();
        }
    }

    pub fn has_refutation(&self) -> bool {
        self.rows.iter().any(|r| r.verdict == Verdict::Refuted)
    }

    /// A defect that ends runs early: the search for other defects goes past a livelock, too.
    pub fn has_fatal_refutation(&self) -> bool {
        let ends = |kind: DefectKind| kind.ends_run() && kind != DefectKind::Livelock;
        self.defects.iter().any(|defect| ends(defect.kind))
    }

    /// Properties that may still be established: without a proof, without a refutation, and not
    /// left open for good.
    pub fn open(&self) -> Vec<Property> {
        let decided = |r: &Row| matches!(r.verdict, Verdict::Proved | Verdict::Refuted);
        let open = |r: &&Row| !decided(r) && !r.left_open;
        self.judged().filter(open).map(|r| r.property).collect()
    }

    /// Whether a defect of this property counts although the property is not judged.
    pub fn counts_if_shown(&self, property: Property) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|r| r.property == property && r.only_if_shown)
    }

    /// Raises a row to a better verdict; a worse one changes nothing.
    pub fn establish(
        &mut self,
        property: Property,
        verdict: Verdict,
        assurance: Assurance,
        engine: Engine,
        explanation: String,
    ) {
        let better =
            |r: &&mut Row| r.property == property && r.verdict < verdict && !r.only_if_shown;
        if let Some(row) = self.rows.iter_mut().find(better)
            && row.verdict != Verdict::Refuted
        {
            row.verdict = verdict;
            row.reason = None;
            row.assurance = Some(assurance);
            row.engine = Some(engine);
            row.explanation = explanation;
        }
    }

    /// Says why a row is still unknown.
    pub fn explain_unknown(&mut self, property: Property, reason: Reason, why: String) {
        let unknown = |r: &&mut Row| r.property == property && r.verdict == Verdict::Unknown;
        if let Some(row) = self.rows.iter_mut().find(unknown) {
            row.reason = Some(reason);
            row.explanation = why;
        }
    }

    /// Leaves a property that is open unknown, for this reason, also where the others are decided.
    pub fn leave_open(&mut self, property: Property, reason: Reason, why: String) {
        self.explain_unknown(property, reason, why);
        let unknown = |r: &&mut Row| r.property == property && r.verdict == Verdict::Unknown;
        if let Some(row) = self.rows.iter_mut().find(unknown) {
            row.left_open = true;
        }
    }

    /// A confirmed defect that a proof foresaw: it counts where the property is not judged, too.
    pub fn refute_foreseen(&mut self, defect: Defect, engine: Engine) {
        let property = defect.kind.property();
        for row in self.rows.iter_mut().filter(|r| r.property == property) {
            row.only_if_shown = false;
        }
        self.refute(defect, engine);
    }

    /// A confirmed defect. One of a property that was not asked for is not kept.
    pub fn refute(&mut self, defect: Defect, engine: Engine) {
        let property = defect.kind.property();
        if !self.asks_about(property) {
            return;
        }
        let Some(row) = self.rows.iter_mut().find(|r| r.property == property) else {
            return;
        };
        if row.verdict != Verdict::Refuted {
            row.verdict = Verdict::Refuted;
            row.reason = None;
            row.assurance = None;
            row.engine = Some(engine);
            row.explanation = defect.message.clone();
        }
        // One report for each guilty place: the same defect at another launch says nothing new.
        let places = |d: &Defect| {
            let sites = d.accesses.iter().chain(&d.threads);
            let mut lines: Vec<(u32, u32)> = sites.map(|s| (s.line, s.column)).collect();
            lines.sort_unstable();
            lines.dedup();
            (d.kind, lines)
        };
        let of_host = |d: &Defect| matches!(d.grade.caller, Some(Caller::HostCode { .. }));
        match self
            .defects
            .iter_mut()
            .find(|d| places(d) == places(&defect))
        {
            None => self.defects.push(defect),
            // One that host code comes to says more.
            Some(known) if of_host(&defect) && !of_host(known) => *known = defect,
            Some(_) => {}
        }
    }

    /// What a kernel comes to under a condition (`under`, in the words of the source: `text`): what was proved of all
    /// launches stands, everything else is what was established where the condition holds. The defects, which it
    /// excludes.
    pub fn under_condition(&mut self, under: Table, text: &str) -> Vec<Defect> {
        for row in self.rows.iter_mut().filter(|r| !r.only_if_shown) {
            let same = |r: &&Row| r.property == row.property && !r.only_if_shown;
            let Some(other) = under.rows.iter().find(same) else {
                // Its premise is not there, and nothing of it is shown any more.
                match (row.verdict, under.counts_if_shown(row.property)) {
                    (Verdict::Refuted, true) => row.hold_where(text),
                    (_, counts) => row.only_if_shown = counts,
                }
                continue;
            };
            if row.verdict >= Verdict::Passed {
                continue;
            }
            row.verdict = match other.verdict {
                Verdict::Passed | Verdict::Proved => Verdict::Conditional,
                verdict => verdict,
            };
            row.reason = other.reason;
            row.assurance = other.assurance;
            row.engine = other.engine;
            row.explanation = match (other.verdict, other.explanation.strip_prefix("where ")) {
                (Verdict::Conditional, Some(further)) => format!("where {text} and {further}"),
                _ => format!("where {text}: {}", other.explanation),
            };
        }
        std::mem::take(&mut self.defects)
    }

    /// What is refuted is open again, and why. The defects.
    pub fn leave_refuted_open(&mut self, reason: Reason, why: &str) -> Vec<Defect> {
        for row in &mut self.rows {
            row.leave_refuted_open(reason, why);
        }
        self.take_defects()
    }

    /// What is refuted of these kinds alone is open again, and why. The defects of these kinds.
    pub fn leave_kinds_open(
        &mut self,
        is_one: impl Fn(DefectKind) -> bool,
        reason: Reason,
        why: &str,
    ) -> Vec<Defect> {
        let defects = self.take_defects();
        let (taken, kept): (Vec<Defect>, Vec<Defect>) =
            defects.into_iter().partition(|d| is_one(d.kind));
        for row in &mut self.rows {
            let is_of = |d: &Defect| d.kind.property() == row.property;
            if taken.iter().any(is_of) && !kept.iter().any(is_of) {
                row.leave_refuted_open(reason, why);
            }
        }
        self.defects = kept;
        taken
    }

    /// Whether under a condition everything is right that is refuted here.
    pub fn is_right_under(&self, under: &Table) -> bool {
        let refuted = self.judged().filter(|r| r.verdict == Verdict::Refuted);
        let mut of_them = refuted.map(|r| {
            let same = |other: &&Row| other.property == r.property;
            let other = under.rows.iter().find(same);
            other.is_some_and(|other| other.only_if_shown || other.verdict >= Verdict::Passed)
        });
        of_them.all(|is_right| is_right) && under.judged().any(|r| r.verdict >= Verdict::Passed)
    }

    /// Takes the defects out.
    pub fn take_defects(&mut self) -> Vec<Defect> {
        std::mem::take(&mut self.defects)
    }

    /// The defects, in the order they were found.
    pub fn defects(&self) -> &[Defect] {
        &self.defects
    }

    /// What was seen at launches of host code.
    pub fn host_tried(&self) -> Option<&HostTried> {
        self.host_tried.as_ref()
    }

    /// Counts a launch of host code.
    pub fn note_host_launch(&mut self, fails: bool) {
        let tried = self.host_tried.get_or_insert_default();
        tried.launches += 1;
        tried.failing += u32::from(fails);
    }

    /// The same, to grade them.
    pub fn defects_mut(&mut self) -> &mut [Defect] {
        &mut self.defects
    }

    /// The results as they stand: what may still be established is `unknown` without a reason.
    pub fn so_far(&self, subject: usize, judgement: &mut Judgement) {
        let mut table = self.clone();
        for row in &mut table.rows {
            if row.verdict == Verdict::Unknown && !row.left_open {
                row.reason = None;
            }
        }
        table.into_results(subject, judgement);
    }

    pub fn into_results(self, subject: usize, judgement: &mut Judgement) {
        for row in self.rows.into_iter().filter(|r| !r.only_if_shown) {
            judgement.properties.push(PropertyResult {
                subject,
                kind: row.property,
                verdict: row.verdict,
                reason: row.reason,
                assurance: row.assurance,
                engine: row.engine,
                explanation: row.explanation,
            });
        }
        // Those that need launches which no host code makes stand apart, behind the others.
        let (apart, first): (Vec<Defect>, Vec<Defect>) = self
            .defects
            .into_iter()
            .partition(|d| d.grade.caller == Some(Caller::NoneInSight));
        for mut defect in first.into_iter().chain(apart) {
            defect.subject = subject;
            judgement.defects.push(defect);
        }
    }
}
