//! A discrimination net: of many left sides, the first that matches, by one walk over the term.
//!
//! The net is a tree of questions, each about the head of one *slot*: the arguments are the first slots, and
//! where a head is found its arguments become slots behind those there are. No slot is looked at twice and
//! no answer is taken back (Augustsson, *Compiling pattern matching*, FPCA 1985; as an automaton, Gräf,
//! *Left-to-right tree pattern matching*, RTA 1991). Such a tree can be exponential in the number of rules:
//! from `MOST_NODES` on left sides are tried one after the other, each from the slots there were.

use super::bank::HeadId;

/// A left side.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Any,
    /// A place that something asks for, by number.
    Place(u32),
    App(HeadId, Vec<Shape>),
}

/// A left side to be compiled.
#[derive(Clone, Debug)]
pub struct Left {
    /// Of the arguments.
    pub shapes: Vec<Shape>,
    pub n_places: usize,
    /// Places that must hold the same term.
    pub same: Vec<(u32, u32)>,
    /// Places that must hold an integer.
    pub integers: Vec<u32>,
}

pub type NodeId = u32;

#[derive(Clone, Debug)]
pub(super) enum Node {
    Fail,
    /// Goes on by the head of a slot, its arguments being pushed.
    Switch {
        slot: u32,
        /// Into [`Net::branches`], sorted by head.
        branches: (u32, u32),
        otherwise: NodeId,
    },
    Same {
        slots: (u32, u32),
        then: NodeId,
        otherwise: NodeId,
    },
    Integer {
        slot: u32,
        then: NodeId,
        otherwise: NodeId,
    },
    /// Forgets all slots but so many.
    Reset {
        n_slots: u32,
        then: NodeId,
    },
    /// A left side matches: entry to what was made for it.
    Match {
        rule: u32,
        entry: u32,
    },
}

/// Left sides by head.
#[derive(Clone, Debug, Default)]
pub struct Net {
    pub(super) nodes: Vec<Node>,
    pub(super) branches: Vec<(HeadId, NodeId)>,
    /// Where to begin, by head; most heads match nothing.
    roots: Vec<NodeId>,
}

/// A tree larger than this tries what is left one by one.
const MOST_NODES: usize = 1 << 14;
const NOWHERE: NodeId = NodeId::MAX;
/// The first node there is.
const FAIL: NodeId = 0;

/// A left side on its way through the tree.
#[derive(Clone)]
struct Row<'a> {
    rule: usize,
    /// Slots whose heads are still to be asked for, in the order of a walk.
    open: Vec<(u32, HeadId, &'a [Shape])>,
    /// Slot of each place.
    places: Vec<u32>,
}

/// Called with a rule, the slots of its places and the number of slots: what to run.
pub type Entry<'a> = &'a mut dyn FnMut(usize, &[u32], u32) -> u32;

struct Builder<'a, 'e> {
    net: &'a mut Net,
    lefts: &'a [(HeadId, Left)],
    entry: Entry<'e>,
}

impl Net {
    /// `lefts` in the order in which they are meant. `entry` says what to run for one that matches.
    pub fn new(lefts: &[(HeadId, Left)], entry: Entry<'_>) -> Net {
        let mut net = Net::default();
        net.nodes.push(Node::Fail);
        let mut heads: Vec<HeadId> = lefts.iter().map(|(head, _)| *head).collect();
        heads.sort_unstable();
        heads.dedup();
        let n_heads = heads.last().map_or(0, |head| head.0 as usize + 1);
        let mut roots = vec![NOWHERE; n_heads];
        for head in heads {
            let of_head = lefts.iter().enumerate().filter(|(_, (h, _))| *h == head);
            let rows: Vec<Row> = of_head
                .map(|(rule, (_, left))| {
                    let mut row = Row {
                        rule,
                        open: Vec::new(),
                        places: vec![0; left.n_places],
                    };
                    row.open_up(0, 0, &left.shapes);
                    row
                })
                .collect();
            let first = rows.first().map(|row| lefts[row.rule].1.shapes.len());
            let n_args = first.unwrap_or(0) as u32;
            let mut builder = Builder {
                net: &mut net,
                lefts,
                entry: &mut *entry,
            };
            roots[head.0 as usize] = builder.node(rows, n_args);
        }
        net.roots = roots;
        net
    }

    /// Where to begin with a term of this head; `None`: nothing matches, whatever its arguments.
    #[inline]
    pub(super) fn root(&self, head: HeadId) -> Option<NodeId> {
        self.roots
            .get(head.0 as usize)
            .copied()
            .filter(|root| *root != NOWHERE)
    }

    /// Where a head leads to.
    #[inline]
    pub(super) fn branch(&self, (first, end): (u32, u32), head: HeadId) -> Option<NodeId> {
        let branches = &self.branches[first as usize..end as usize];
        if branches.len() <= 8 {
            let found = branches.iter().find(|(own, _)| *own == head);
            return found.map(|(_, next)| *next);
        }
        let found = branches.binary_search_by_key(&head, |(own, _)| *own);
        found.ok().map(|index| branches[index].1)
    }
}

impl<'a> Row<'a> {
    /// What `shapes` ask of the slots from `slot` on, at a place of the walk.
    fn open_up(&mut self, mut at: usize, slot: u32, shapes: &'a [Shape]) {
        for (slot, shape) in (slot..).zip(shapes) {
            match shape {
                Shape::Any => {}
                Shape::Place(place) => self.places[*place as usize] = slot,
                Shape::App(head, args) => {
                    self.open.insert(at, (slot, *head, args));
                    at += 1;
                }
            }
        }
    }

    /// The row behind a slot that has this head, if it goes on; arguments are slots from `n_slots` on.
    fn behind(&self, slot: u32, head: HeadId, n_slots: u32) -> Option<Row<'a>> {
        let mut row = self.clone();
        let Some(at) = row.open.iter().position(|(asked, ..)| *asked == slot) else {
            return Some(row);
        };
        let (_, own, args) = row.open.remove(at);
        row.open_up(at, n_slots, args);
        (own == head).then_some(row)
    }
}

impl<'a> Builder<'a, '_> {
    fn push(&mut self, node: Node) -> NodeId {
        self.net.nodes.push(node);
        self.net.nodes.len() as u32 - 1
    }

    fn node(&mut self, mut rows: Vec<Row<'a>>, n_slots: u32) -> NodeId {
        let Some(first) = rows.first() else {
            return FAIL;
        };
        let Some(&(slot, ..)) = first.open.first() else {
            let first = rows.remove(0);
            let is_certain = self.is_certain(first.rule);
            let otherwise = if is_certain {
                FAIL
            } else {
                self.node(rows, n_slots)
            };
            return self.found(&first, n_slots, otherwise);
        };
        if self.net.nodes.len() > MOST_NODES && rows.len() > 1 {
            let first = rows.remove(0);
            let then = self.node(rows, n_slots);
            let otherwise = self.push(Node::Reset { n_slots, then });
            return self.alone(first, n_slots, otherwise);
        }
        let asked = |row: &Row<'a>| row.open.iter().find(|(s, ..)| *s == slot).copied();
        let mut heads: Vec<(HeadId, usize)> = Vec::new();
        for (_, head, args) in rows.iter().filter_map(asked) {
            if heads.iter().all(|(known, _)| *known != head) {
                heads.push((head, args.len()));
            }
        }
        heads.sort_unstable();
        let mut branches = Vec::new();
        for (head, n_args) in heads {
            let behind = rows
                .iter()
                .filter_map(|row| row.behind(slot, head, n_slots));
            let next = self.node(behind.collect(), n_slots + n_args as u32);
            branches.push((head, next));
        }
        rows.retain(|row| asked(row).is_none());
        let otherwise = self.node(rows, n_slots);
        self.switch(slot, &branches, otherwise)
    }

    /// One left side, and where to go when it does not match.
    fn alone(&mut self, row: Row<'a>, n_slots: u32, otherwise: NodeId) -> NodeId {
        let Some(&(slot, head, args)) = row.open.first() else {
            return self.found(&row, n_slots, otherwise);
        };
        let then = match row.behind(slot, head, n_slots) {
            Some(row) => self.alone(row, n_slots + args.len() as u32, otherwise),
            None => otherwise,
        };
        self.switch(slot, &[(head, then)], otherwise)
    }

    fn switch(&mut self, slot: u32, to: &[(HeadId, NodeId)], otherwise: NodeId) -> NodeId {
        let first = self.net.branches.len() as u32;
        self.net.branches.extend(to);
        let branches = (first, self.net.branches.len() as u32);
        self.push(Node::Switch {
            slot,
            branches,
            otherwise,
        })
    }

    /// Whether a rule matches where its heads do.
    fn is_certain(&self, rule: usize) -> bool {
        let (_, left) = &self.lefts[rule];
        left.same.is_empty() && left.integers.is_empty()
    }

    /// All heads are there; now for what else is asked.
    fn found(&mut self, row: &Row<'a>, n_slots: u32, otherwise: NodeId) -> NodeId {
        let (_, left) = &self.lefts[row.rule];
        let entry = (self.entry)(row.rule, &row.places, n_slots);
        let rule = row.rule as u32;
        let mut then = self.push(Node::Match { rule, entry });
        let slot = |place: u32| row.places[place as usize];
        for &place in &left.integers {
            then = self.push(Node::Integer {
                slot: slot(place),
                then,
                otherwise,
            });
        }
        for &(a, b) in &left.same {
            then = self.push(Node::Same {
                slots: (slot(a), slot(b)),
                then,
                otherwise,
            });
        }
        then
    }
}
