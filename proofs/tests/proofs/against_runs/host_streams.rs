//! Host code with streams on unknown inputs against runs: what is safe is ordered, and leaves what a run leaves; what is proved
//! of pairs is so.

use super::Rng;
use super::host_code::{KERNELS, Tally, change, contents, is_clean, run, setup};
use crate::cuda::support::parse;
use gridlock_generation::effort;
use gridlock_proofs::Budget;
use gridlock_proofs::defects::{Safety, SafetyRequest};
use gridlock_proofs::equivalence::{Observed, Side, Unknowns};
use gridlock_proofs::left::{Left, left};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use std::time::Duration;

/// Functions of one file: reading it takes longer than judging one.
const TOGETHER: u64 = 20;

/// `p` is page-locked, `m` managed.
fn step(rng: &mut Rng, depth: u32) -> String {
    let stream = *rng.pick(&["s", "t", "s", "t", "0"]);
    let (device, other) = *rng.pick(&[("d", "e"), ("e", "d"), ("m", "d"), ("d", "m")]);
    let host = *rng.pick(&["a", "b", "p", "p"]);
    let bytes = *rng.pick(&["8 * sizeof(int)", "n * sizeof(int)", "4 * sizeof(int)"]);
    let (shift, number) = (rng.roll(4), rng.roll(4));
    match rng.roll(if depth == 0 { 20 } else { 23 }) {
        0 | 1 => format!(
            "cudaMemcpyAsync({device}, {host} + {shift}, 4 * sizeof(int), cudaMemcpyHostToDevice, {stream});"
        ),
        2 | 3 => format!(
            "cudaMemcpyAsync({host}, {device} + {shift}, 4 * sizeof(int), cudaMemcpyDeviceToHost, {stream});"
        ),
        4 => format!("cudaMemcpy({device}, {host}, {bytes}, cudaMemcpyHostToDevice);"),
        5 => format!("cudaMemcpy({host}, {device}, {bytes}, cudaMemcpyDeviceToHost);"),
        6 => format!("cudaMemcpyAsync({device}, {other}, {bytes}, cudaMemcpyDefault, {stream});"),
        7 => format!("fill<<<2, 4, 0, {stream}>>>({device}, n + {number});"),
        8 | 9 => format!("add<<<2, 4, 0, {stream}>>>({device}, {other}, total);"),
        10 => format!("turn<<<1, 8, 0, {stream}>>>({device});"),
        11 => format!("{host}[{number}] = {host}[n - 1] * 2 - {shift};"),
        12 => format!("m[{number}] = m[{shift}] + 1;"),
        13 => format!("total = total + m[{number}] * {shift} + {host}[{shift}];"),
        14 => format!("cudaStreamSynchronize({stream});"),
        15 => format!("cudaEventRecord(v, {stream});"),
        16 => format!("cudaStreamWaitEvent({stream}, v, 0);"),
        17 => "cudaEventSynchronize(v);".to_owned(),
        18 => "counted += 1; total += counted;".to_owned(),
        19 => format!("keep<<<2, 4, 0, {stream}>>>({device});"),
        20 => format!("if (total > {number}) {{ {} }}", step(rng, depth - 1)),
        21 => format!("if ({host}[{number}] == 3) {{ {} }}", step(rng, depth - 1)),
        _ => format!(
            "for (int i = 0; i < {}; i++) {{ {} }}",
            1 + rng.roll(3),
            step(rng, depth - 1)
        ),
    }
}

/// Some steps, more or less of which the host waits for.
fn steps(rng: &mut Rng) -> Vec<String> {
    let waits = rng.roll(3);
    let mut steps = Vec::new();
    for _ in 0..2 + rng.roll(5) {
        steps.push(step(rng, 1));
        if rng.roll(4) < waits {
            let all = "cudaDeviceSynchronize();";
            steps.push((*rng.pick(&[all, all, "cudaStreamSynchronize(s);"])).to_owned());
        }
    }
    if rng.roll(8) != 0 {
        steps.push("cudaDeviceSynchronize();".to_owned());
    }
    steps
}

fn function(name: &str, steps: &[String]) -> String {
    format!(
        "int {name}(int *a, int *b, int n)
        {{
            int *d, *e, *m, *p;
            cudaStream_t s, t;
            cudaEvent_t v;
            int total = 1;
            cudaMalloc(&d, 8 * sizeof(int));
            cudaMalloc(&e, 8 * sizeof(int));
            cudaMallocManaged(&m, 8 * sizeof(int));
            cudaMallocHost(&p, 8 * sizeof(int));
            cudaStreamCreate(&s);
            cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
            cudaEventCreate(&v);
            for (int i = 0; i < 8; i++) {{ p[i] = a[i]; m[i] = b[i]; }}
            cudaMemcpy(d, a, 8 * sizeof(int), cudaMemcpyHostToDevice);
            cudaMemcpy(e, b, 8 * sizeof(int), cudaMemcpyHostToDevice);
            cudaDeviceSynchronize();
            {}
            cudaMemcpy(a, d, 8 * sizeof(int), cudaMemcpyDeviceToHost);
            total += m[0] - p[1];
            cudaFree(d);
            cudaFree(e);
            cudaFree(m);
            cudaFreeHost(p);
            cudaStreamDestroy(s);
            cudaStreamDestroy(t);
            cudaEventDestroy(v);
            return total;
        }}
        ",
        steps.join("\n            ")
    )
}

fn file(functions: &str) -> String {
    format!("{KERNELS}static int counted;\n{functions}")
}

#[test]
fn what_is_safe_is_ordered() {
    let (first, count) = (effort::first(1), effort::cases(60, 10_000));
    let (mut n_safe, mut n_defective) = (0u64, 0u64);
    let profile = Profile::default();
    for together in (first..first + count).step_by(TOGETHER as usize) {
        let drawn: Vec<Vec<String>> = (together..together + TOGETHER)
            .map(|seed| steps(&mut Rng(seed)))
            .collect();
        let numbered = drawn.iter().enumerate();
        let texts: Vec<String> = numbered
            .map(|(number, steps)| function(&format!("f{number}"), steps))
            .collect();
        let program = parse(&file(&texts.concat()));
        for (number, text) in texts.iter().enumerate() {
            let mut rng = Rng(together + number as u64 + 1);
            let setup = setup(&program, &format!("f{number}"), contents(&mut rng));
            let unknowns = Unknowns {
                arrays: vec![None; 2],
                scalars: vec![None; 3],
                ..Unknowns::default()
            };
            let side = Side {
                program: &program,
                setup: &setup,
                unknowns: &unknowns,
            };
            let question = SafetyRequest {
                profile: &profile,
                budget: Budget::of_seconds(1.0),
                timeout: Duration::from_secs(2),
                steps: 100_000,
            };
            let found = left(side, &question);
            let run = run(&program, &setup);
            n_defective += u64::from(!is_clean(&run));
            let Ok(Left {
                terms,
                arrays,
                safety: Safety::Safe,
                ..
            }) = found
            else {
                continue;
            };
            assert!(
                is_clean(&run),
                "{:?} {:#?}\n{text}",
                run.status,
                run.findings
            );
            n_safe += 1;
            let seen = run.observation.expect("it came to its end");
            for (observed, cells) in arrays {
                let Observed::Argument(position) = observed else {
                    continue;
                };
                for (cell, term) in cells {
                    let bits = term.map(|term| terms.as_bits(term).expect("all inputs are given"));
                    let expected = match seen.arrays[position].cells[cell as usize] {
                        Value::Int(_, bits) => Some(bits),
                        _ => None,
                    };
                    assert_eq!(bits, expected, "{position}[{cell}]\n{text}");
                }
            }
        }
    }
    println!("{n_safe} of {count} safe; {n_defective} with defects");
    assert!(8 * n_safe > count, "{n_safe} safe of {count}");
    assert!(4 * n_defective > count, "{n_defective} with defects");
}

#[test]
fn what_is_proved_of_a_pair_with_streams_is_so() {
    let (first, count) = (effort::first(1), effort::cases(20, 3_000));
    let mut tally = Tally::default();
    for together in (first..first + count).step_by(TOGETHER as usize) {
        let pairs = (together..together + TOGETHER).map(|seed| {
            let mut rng = Rng(seed ^ 0x57ea);
            let mut steps = steps(&mut rng);
            let old = function("f", &steps);
            change(&mut steps, &mut rng, |rng| step(rng, 1));
            [old, function("f", &steps)]
        });
        let pairs: Vec<[String; 2]> = pairs.collect();
        let files = [0, 1].map(|side| {
            let numbered = pairs.iter().enumerate();
            let renamed = numbered
                .map(|(number, pair)| pair[side].replacen("int f(", &format!("int f{number}("), 1));
            parse(&file(&renamed.collect::<String>()))
        });
        for (number, pair) in pairs.iter().enumerate() {
            let name = format!("f{number}");
            let text = || pair.concat();
            let mut rng = Rng(together + number as u64);
            tally.add([&files[0], &files[1]], &name, &mut rng, &text);
        }
    }
    tally.print(count);
    assert!(
        8 * tally.proved > count,
        "{} proved of {count}",
        tally.proved
    );
    assert!(
        6 * tally.differ > count,
        "{} differ of {count}",
        tally.differ
    );
}
