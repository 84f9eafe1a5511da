//! The terms there are, so that one that is built again is found (hash-consing).
//!
//! A table a thread, that holds no term: what nothing else holds is gone, and its entry is swept away when the
//! table has grown to twice what it held after the last sweep. Equality does not rest on it: terms of two
//! threads are compared.

use crate::terms::term::Node;
use hashbrown::HashTable;
use std::cell::RefCell;
use std::sync::{Arc, Weak};

#[derive(Default)]
struct KnownNodes {
    table: HashTable<(u64, Weak<Node>)>,
    /// A larger table is swept.
    most: usize,
}

thread_local! {
    static KNOWN: RefCell<KnownNodes> = RefCell::default();
}

/// A node already there that is the same in every respect; else this one.
pub fn share(node: Node) -> Arc<Node> {
    // A thread that ends may have taken its table away.
    let known = KNOWN.try_with(|known| known.borrow().find(&node));
    if let Ok(Some(known)) = known {
        return known;
    }
    let made = Arc::new(node);
    let _ = KNOWN.try_with(|known| known.borrow_mut().insert(&made));
    made
}

impl KnownNodes {
    fn find(&self, node: &Node) -> Option<Arc<Node>> {
        let mut found = None;
        self.table.find(node.hash, |(hash, known)| {
            if *hash == node.hash {
                found = known.upgrade().filter(|known| known.is_same(node));
            }
            found.is_some()
        });
        found
    }

    fn insert(&mut self, made: &Arc<Node>) {
        if self.table.len() >= self.most {
            self.table.retain(|(_, known)| known.strong_count() > 0);
            self.most = 1024 + 2 * self.table.len();
        }
        let entry = (made.hash, Arc::downgrade(made));
        self.table
            .insert_unique(made.hash, entry, |(hash, _)| *hash);
    }
}
