//! Under the paper's model threads of several blocks fire together, barriers too. Each block still
//! meets at its own barrier, which orders its threads and nobody else's.

use gridlock::input::request::{EntryRequest, LaunchSpec, Request};
use gridlock::judge::check::check_parsed;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::Verdict;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_semantics::profile::Profile;

fn judge(text: &str) -> Judgement {
    let parsed =
        parse_source("blocks.cu", text, Language::Cuda, &ParseOptions::default()).expect("reads");
    let entry = EntryRequest {
        launch: LaunchSpec {
            grid: Some([2, 1, 1]),
            block: Some([2, 1, 1]),
            shared_bytes: None,
        },
        ..EntryRequest::default()
    };
    let request = Request {
        profile: Profile::named("paper").expect("a named profile"),
        ..Request::default()
    };
    check_parsed("blocks.cu", parsed, &entry, &request).expect("good input")
}

fn lines(judgement: &Judgement) -> Vec<(u32, u32)> {
    let sides = judgement
        .defects
        .iter()
        .map(|d| (d.accesses[0].line, d.accesses[1].line));
    sides.collect()
}

#[test]
fn barriers_of_two_blocks_that_fire_together_order_each_its_own() {
    let ordered = judge(
        "__global__ void k(int *out)
{
    __shared__ int tile[2];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x * 2 + threadIdx.x] = tile[1 - threadIdx.x];
}
",
    );
    assert_eq!(lines(&ordered), [], "{:#?}", ordered.defects);
}

/// Blocks that never run at the same time still race: nothing orders them. The explorer sees that
/// along its runs; where a replay under the start rule cannot follow, nothing is claimed.
#[test]
fn a_barrier_orders_nothing_between_blocks() {
    let unordered = judge(
        "__global__ void k(int *out)
{
    out[blockIdx.x * 2 + threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        out[2 - blockIdx.x * 2] = 2;
}
",
    );
    assert!(
        unordered.verdict < Verdict::Passed,
        "{:#?}",
        unordered.properties
    );
}
