//! Reads by lanes that end: a barrier does not order them before what comes after it, `__syncwarp` does.

use crate::algebra::*;
use crate::running::*;
use gridlock_checker::canonical::CanonicalStatus;
use gridlock_checker::finding::DefectKind;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::Setup;

/// Thread 0 and those of `readers` read `x[0]`, the second warp meets, lane 33 reads again where `twice` says so and
/// ends; after the barrier lane 32 writes what was read.
fn lane_that_ends(readers: &[i32], twice: bool) -> (Program, Setup) {
    let mut draft = Draft::new();
    let (x, out) = (draft.ints("x"), draft.ints("out"));
    let v = draft.local("v");
    let mut body = vec![set(&v, 0)];
    for reader in readers {
        body.push(when(tid().equals(*reader), vec![set(&v, x.at(0))]));
    }
    let mut end = Vec::new();
    if twice {
        end.push(set(&v, v.clone() + x.at(0)));
    }
    end.extend([put(&out, tid(), v.clone()), exit()]);
    body.push(when(
        c(31).lt(tid()),
        vec![sync_warp(u32::MAX), when(tid().equals(33), end)],
    ));
    body.push(barrier());
    body.push(when(tid().equals(32), vec![put(&x, 0, 1)]));
    let program = draft.kernel(body);
    let setup = kernel_setup(&program, 1, 64, vec![zeros("x", 1), zeros("out", 64)]);
    (program, setup)
}

#[test]
fn the_newest_read_of_a_lane_that_ends_counts() {
    // The lane is the first reader of its warp, or finds no room beside another.
    for readers in [&[0, 33][..], &[0, 32, 33], &[33]] {
        for twice in [false, true] {
            let (program, setup) = lane_that_ends(readers, twice);
            let result = run(&program, &setup);
            let expected = match twice {
                true => vec![DefectKind::DataRace],
                false => vec![],
            };
            assert_eq!(kinds(&result), expected, "{readers:?} {twice}");
            if !twice {
                assert_eq!(result.status, CanonicalStatus::Decides, "{readers:?}");
            }
        }
    }
}

/// Every access of a loop over two cells was kept, and compared with every other when its thread ended: minutes for
/// this kernel. A cell of a thread is kept once.
#[test]
fn accesses_that_find_no_room_are_kept_once_a_cell() {
    let mut draft = Draft::new();
    let (x, out) = (draft.ints("x"), draft.ints("out"));
    let (v, i) = (draft.local("v"), draft.local("i"));
    let program = draft.kernel(vec![
        set(&v, 0),
        sync_warp(u32::MAX),
        counted(
            &i,
            0,
            i.clone().lt(50_000),
            i.clone() + 1,
            vec![set(&v, v.clone() + x.at(0) + x.at(1))],
        ),
        put(&out, tid(), v.clone()),
        when(tid().gt(7), vec![exit()]),
        barrier(),
    ]);
    let setup = kernel_setup(&program, 1, 96, vec![zeros("x", 2), zeros("out", 96)]);
    let result = run(&program, &setup);
    assert_eq!(kinds(&result), vec![]);
    assert_eq!(result.status, CanonicalStatus::Decides);
}
