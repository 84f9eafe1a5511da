//! Random expressions with pointers that walk through a ring of 48 cells.
//!
//! A whole expression puts the pointers that it mentions back into the middle of the ring first; it walks so few steps
//! that no pointer leaves the ring, not even one that the functions it calls walk with, each as far.

use crate::against_clang::random_values::{Expr, P, Scope};

/// How many steps of one cell a whole expression makes at most.
pub const WALKS: usize = 4;

impl Scope {
    /// An expression by itself: the pointers are put back first.
    pub fn whole(&mut self, expr: Expr) -> String {
        self.effects.0 |= expr.reads;
        self.effects.1 |= expr.writes;
        self.walks_left = WALKS;
        let mut text = String::from("(");
        for (bit, name) in self.pointers {
            if expr.touches() & bit != 0 {
                text += &format!("{name} = ring + 20 + (({name} - ring) & 7), ");
            }
        }
        text + &expr.text + ")"
    }

    /// `p`, `q` or what they walk to; the number says how far beyond a pointer may look.
    pub fn pointer(&mut self, depth: usize) -> Expr {
        let (bit, name) = self.pick(&self.pointers.clone());
        let own = Expr::new(name, bit);
        if self.walks_left > 0 && self.below(3) > 0 {
            self.walks_left -= 1;
            if self.below(5) == 0 && depth > 0 {
                let by = self.value(depth - 1);
                // In C++ what is added comes first.
                if self.is_cpp && !self.hit(by.late, bit) || by.touches() & bit == 0 {
                    let text = format!("({name} += (({}) & 1))", by.text);
                    return Expr::around(text, &[&own, &by]).changing(bit);
                }
            }
            let text = self.pick(&["(@++)", "(@--)", "(++@)", "(--@)"]);
            return Expr::around(text.replace('@', name), &[&own]).changing(bit);
        }
        let (other_bit, other_name) = self.pointers[(bit == P) as usize];
        let other = Expr::new(other_name, other_bit);
        match self.below(6) {
            0 => Expr::around(format!("({name} = {})", other.text), &[&other]).changing(bit),
            1 if depth > 0 => {
                let at = self.value(depth - 1);
                if !self.is_cpp && at.touches() & bit != 0 {
                    return own;
                }
                let text = format!("({name} = ring + 20 + (({}) & 7))", at.text);
                Expr::around(text, &[&at]).changing(bit)
            }
            2 if depth > 0 => {
                let by = self.value(depth - 1);
                match self.meet(&by, &own) {
                    true => own,
                    false => {
                        let text = format!("({name} + (({}) & 3))", by.text);
                        Expr::around(text, &[&own, &by])
                    }
                }
            }
            3 if depth > 0 => {
                let cond = self.value(depth - 1);
                let text = format!("({} ? {name} : {})", cond.text, other.text);
                Expr::around(text, &[&cond, &own, &other])
            }
            _ => own,
        }
    }

    /// A cell of the ring as a place.
    pub fn cell(&mut self, depth: usize) -> Expr {
        let d = depth.saturating_sub(1);
        if depth == 0 {
            let (bit, name) = self.pick(&self.pointers.clone());
            let text = self.pick(&["(*@)", "@[2]", "@[-1]"]);
            return Expr::new(text.replace('@', name), bit);
        }
        match self.below(5) {
            0 => {
                let index = self.value(d);
                Expr::around(format!("ring[({}) & 31]", index.text), &[&index])
            }
            1 => {
                let (bit, name) = self.pick(&self.pointers.clone());
                let own = Expr::new(name, bit);
                let index = self.value(d);
                // In C++ the pointer comes before the index.
                if !self.is_cpp && self.meet(&own, &index) {
                    return Expr::around(format!("(*{name})"), &[&own]);
                }
                let text = match self.below(2) {
                    0 => format!("{name}[({}) & 3]", index.text),
                    _ => format!("{name}[-(int)(({}) & 3)]", index.text),
                };
                Expr::around(text, &[&own, &index])
            }
            _ => {
                let pointer = self.pointer(depth);
                Expr::around(format!("(*{})", pointer.text), &[&pointer])
            }
        }
    }

    /// How two pointers compare, or how far they are apart.
    pub fn between_pointers(&mut self, depth: usize) -> Expr {
        let a = self.pointer(depth);
        let b = self.pointer(depth);
        let b = if self.meet(&a, &b) {
            Expr::new("ring", 0)
        } else {
            b
        };
        let text = match self.pick(&["-", "-", "<", "<=", "==", "!=", ">"]) {
            "-" => format!("((int)({} - {}))", a.text, b.text),
            op => format!("({} {op} {})", a.text, b.text),
        };
        Expr::around(text, &[&a, &b])
    }
}
