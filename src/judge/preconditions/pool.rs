//! Which points there are to try: those that are always tried, and others to choose from.

use super::offer;
use super::rng::Rng;
use super::space::{Point, Space, Values};
use std::collections::HashSet;

/// Points at most of the first kind.
const CORE: usize = 420;
/// Points drawn besides.
const MORE: usize = 1_500;
/// A launch with more threads in all is not drawn.
const MOST_THREADS: i64 = 4_096;

/// The points of a space.
pub struct Pool {
    pub points: Vec<Point>,
    /// The first so many are to be tried in any case.
    pub n_core: usize,
}

impl Pool {
    /// At most `most` points are always tried.
    pub fn new(space: &Space, most: usize) -> Pool {
        let mut rng = Rng::new(1);
        let given = |d: &super::space::Dimension| !matches!(d.values, Values::Drawn { .. });
        let all_given = space.dimensions.iter().all(given);
        let room = if all_given { most } else { most.min(CORE) };
        let mut points = vec![Point::new()];
        for (index, dimension) in space.dimensions.iter().enumerate() {
            let offers = dimension.offers(false);
            points = points
                .iter()
                .flat_map(|point| {
                    let mut values: Vec<i64> = offers.iter().filter_map(|o| o.at(point)).collect();
                    values.sort_unstable();
                    values.dedup();
                    values.retain(|&v| offer::fits(v, dimension.ty));
                    values
                        .into_iter()
                        .map(|v| [point.as_slice(), &[v]].concat())
                })
                .filter(|point| index > 0 || admissible(space, point))
                .collect();
            // Thin out on the way, so that many dimensions do not multiply.
            if points.len() > 50 * room {
                points = rng.keep(points, 50 * room);
            }
        }
        points.retain(|point| admissible(space, point));
        if points.len() > room {
            points = rng.keep(points, room);
        }
        let n_core = points.len();
        let mut seen: HashSet<Point> = points.iter().cloned().collect();
        for _ in 0..MORE {
            if let Some(point) = draw(space, &mut rng)
                && admissible(space, &point)
                && seen.insert(point.clone())
            {
                points.push(point);
            }
        }
        Pool { points, n_core }
    }
}

/// One point of all that the dimensions offer.
fn draw(space: &Space, rng: &mut Rng) -> Option<Point> {
    let mut point = Point::new();
    for dimension in &space.dimensions {
        let value = rng.pick(&dimension.offers(true))?.at(&point)?;
        if !offer::fits(value, dimension.ty) {
            return None;
        }
        point.push(value);
    }
    Some(point)
}

/// Threads of a block that every device takes.
const MOST_BLOCK: i64 = 1024;

/// Whether a block of a point has no more threads than a device and the kernel take, and a launch that was not asked for is
/// small.
pub fn admissible(space: &Space, point: &[i64]) -> bool {
    let drawn = |d: &super::space::Dimension| {
        d.variable.is_of_launch() && matches!(d.values, Values::Drawn { .. })
    };
    let any_drawn = space.dimensions.iter().any(drawn);
    let threads = space.n_threads(point);
    let block = space.n_threads_of_block(point);
    let own = space.program.proc(space.kernel).most_threads;
    let most = own.map_or(MOST_BLOCK, i64::from).min(MOST_BLOCK);
    block <= most && (!any_drawn || threads <= MOST_THREADS)
}
