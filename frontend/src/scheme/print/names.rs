//! How everything that has a name is written, so that no two things of a scope are written alike.

use super::super::words::is_plain_name;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use std::collections::{HashMap, HashSet};

pub struct Names {
    procs: Vec<String>,
    /// Of each procedure, in the order of its variables.
    vars: Vec<Vec<String>>,
    /// Where an array is declared.
    arrays: Vec<String>,
    /// Everything a procedure declares.
    own: Vec<HashSet<String>>,
}

/// Gives the second thing of a scope that has some text the number 2, and so on.
#[derive(Default)]
struct Numbering<'a>(HashMap<(Option<ProcKind>, &'a str), u32>);

impl<'a> Numbering<'a> {
    fn name(&mut self, kind: Option<ProcKind>, text: &'a str) -> String {
        let number = self.0.entry((kind, text)).or_default();
        *number += 1;
        let plain = quoted(text);
        match number {
            1 => plain,
            number => format!("{plain}#{number}"),
        }
    }
}

fn quoted(text: &str) -> String {
    if is_plain_name(text) {
        return text.to_owned();
    }
    // A name of no characters cannot be written; one of a space can.
    let text = if text.is_empty() { " " } else { text };
    let escaped = text
        .replace('\\', "\\\\")
        .replace('`', "\\`")
        .replace('\n', "\\n");
    format!("`{escaped}`")
}

impl Names {
    pub fn new(program: &Program) -> Names {
        let mut of_procs = Numbering::default();
        let procs = program.procs.iter();
        let procs = procs
            .map(|p| of_procs.name(Some(p.kind), &p.name))
            .collect();
        let mut arrays = vec![String::new(); program.arrays.len()];
        let mut of_owner: HashMap<Option<ProcId>, Numbering> = HashMap::new();
        let mut vars = Vec::new();
        let mut own = Vec::new();
        for (index, proc) in program.procs.iter().enumerate() {
            let numbering = of_owner.entry(Some(ProcId(index as u32))).or_default();
            let names = proc.vars.iter().map(|v| numbering.name(None, &v.name));
            let names: Vec<String> = names.collect();
            own.push(names.iter().cloned().collect::<HashSet<String>>());
            vars.push(names);
        }
        for (index, array) in program.arrays.iter().enumerate() {
            let numbering = of_owner.entry(array.owner).or_default();
            arrays[index] = numbering.name(None, &array.name);
            if let Some(owner) = array.owner
                && let Some(own) = own.get_mut(owner.0 as usize)
            {
                own.insert(arrays[index].clone());
            }
        }
        Names {
            procs,
            vars,
            arrays,
            own,
        }
    }

    pub fn proc(&self, id: ProcId) -> &str {
        self.procs.get(id.0 as usize).map_or("", String::as_str)
    }

    pub fn var(&self, proc: ProcId, index: usize) -> &str {
        let vars = self.vars.get(proc.0 as usize);
        vars.and_then(|v| v.get(index)).map_or("", String::as_str)
    }

    /// An array where it is declared.
    pub fn declared_array(&self, index: usize) -> &str {
        self.arrays.get(index).map_or("", String::as_str)
    }

    /// An array as procedure `proc` speaks of it.
    pub fn array(&self, program: &Program, id: ArrayId, proc: ProcId) -> String {
        let name = self.declared_array(id.0 as usize);
        let owner = program.arrays.get(id.0 as usize).and_then(|a| a.owner);
        match owner {
            None if self.own[proc.0 as usize].contains(name) => format!("::{name}"),
            Some(owner) if owner != proc => {
                let kind = program.procs.get(owner.0 as usize).map(|p| p.kind);
                let kind = kind.map_or("", kind_word);
                format!("{kind} {}::{name}", self.proc(owner))
            }
            _ => name.to_owned(),
        }
    }
}

/// The word of a procedure that says where it runs.
pub fn kind_word(kind: ProcKind) -> &'static str {
    match kind {
        ProcKind::Host => "HOST",
        ProcKind::Device => "DEVICE",
        ProcKind::Kernel => "KERNEL",
    }
}
