//! Launches of host code as points of the space of launches.

use super::space::{Point, Space};
use super::under;
use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_semantics::setup::device_limits::DeviceLimits;

/// Launches of host code that are taken for evidence, at most.
const OF_HOST: usize = 6;

/// Launches of host code, as far as they can be read off.
pub(super) fn of_host(
    space: &Space,
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
) -> Vec<Point> {
    let program = &prepared.surface;
    let instances = subject::instances(program, entry, device).into_iter();
    let points = instances.filter_map(|instance| {
        let mut entry = entry.clone();
        entry.scalars.extend(instance.scalars);
        let launch = Some(instance.launch);
        let setup = subject::sampled_setup(program, &entry, launch, request.sampling, 0);
        under::point_of(space, &setup.ok()?)
    });
    points.take(OF_HOST).collect()
}
