//! Who is owed progress: actors numbered as they are met, and sets of them.

use gridlock_semantics::transition::Actor;
use rustc_hash::FxHashMap;

/// Actors numbered from 0 in the order in which they are met. Threads of different launches of
/// one host program that have the same place share a number: between two launches neither is
/// there, so neither is ever owed a move by a run that goes on to the next.
#[derive(Clone, Debug, Default)]
pub struct Agents {
    numbers: FxHashMap<Actor, u32>,
    actors: Vec<Actor>,
}

impl Agents {
    pub fn number(&mut self, actor: Actor) -> u32 {
        let next = self.actors.len() as u32;
        let number = *self.numbers.entry(actor).or_insert(next);
        if number == next {
            self.actors.push(actor);
        }
        number
    }

    #[cfg(test)]
    pub fn actor(&self, number: u32) -> Actor {
        self.actors[number as usize]
    }

    /// The set of some actors.
    pub fn set(&mut self, actors: impl IntoIterator<Item = Actor>) -> AgentSet {
        actors.into_iter().map(|actor| self.number(actor)).collect()
    }
}

/// A set of agents, by number. Equal sets are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AgentSet {
    /// No trailing zeros.
    words: Vec<u64>,
}

impl AgentSet {
    pub fn insert(&mut self, agent: u32) {
        let word = agent as usize / 64;
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (agent % 64);
    }

    pub fn contains(&self, agent: u32) -> bool {
        let word = self.words.get(agent as usize / 64);
        word.is_some_and(|word| word & (1 << (agent % 64)) != 0)
    }

    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The members of `self` that are not in `other`.
    pub fn without(&self, other: &AgentSet) -> AgentSet {
        let mut left = self.clone();
        for (word, taken) in left.words.iter_mut().zip(&other.words) {
            *word &= !taken;
        }
        left.trim();
        left
    }

    /// The members of both.
    pub fn common(&self, other: &AgentSet) -> AgentSet {
        let both = self.words.iter().zip(&other.words);
        let mut common = AgentSet {
            words: both.map(|(a, b)| a & b).collect(),
        };
        common.trim();
        common
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let n_bits = self.words.len() as u32 * 64;
        (0..n_bits).filter(|&agent| self.contains(agent))
    }

    fn trim(&mut self) {
        while self.words.last() == Some(&0) {
            self.words.pop();
        }
    }
}

impl FromIterator<u32> for AgentSet {
    fn from_iter<I: IntoIterator<Item = u32>>(agents: I) -> AgentSet {
        let mut set = AgentSet::default();
        agents.into_iter().for_each(|agent| set.insert(agent));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_beyond_one_word() {
        let set: AgentSet = [0, 63, 64, 130].into_iter().collect();
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 130]);
        assert!(!set.contains(129) && !set.contains(1_000));
        let high: AgentSet = [64, 130].into_iter().collect();
        let low = set.without(&high);
        assert_eq!(low, [0, 63].into_iter().collect());
        assert!(low.common(&high).is_empty());
        assert_eq!(set.common(&high), high);
    }

    #[test]
    fn actors_keep_their_numbers() {
        let mut agents = Agents::default();
        let thread = |thread| Actor::Thread { block: 0, thread };
        assert_eq!(agents.number(thread(3)), 0);
        assert_eq!(agents.number(Actor::Host), 1);
        assert_eq!(agents.number(thread(3)), 0);
        assert_eq!(agents.actor(1), Actor::Host);
    }
}
