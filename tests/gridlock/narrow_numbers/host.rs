//! Operations compiled with the vendor's headers and run on this machine.

use super::formats::{Format, Operation, Over};
use super::{Inputs, kernels};
use gridlock_lowering::nvcc;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// What each operation gives for each input. `None` where it is known that there is no CUDA toolkit.
pub fn by_the_vendor(
    format: &Format,
    operations: &[Operation],
    inputs_of: impl Fn(Over) -> Arc<Inputs>,
) -> Option<Vec<Vec<u64>>> {
    let nvcc = match nvcc::find() {
        Ok(nvcc) => nvcc,
        Err(_) if std::env::var_os("GRIDLOCK_NO_NVCC").is_some() => return None,
        Err(missing) => panic!("{missing}; or set GRIDLOCK_NO_NVCC"),
    };
    let toolkit = nvcc
        .path
        .parent()
        .and_then(Path::parent)
        .expect("bin is in the toolkit");
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let mut text = format!("{}\n{}", format.host_head(), kernels(format, operations));
    text += "typedef void operation(const unsigned short *, const unsigned short *, const unsigned short *, const word *, word *);\n";
    text += "static operation *const all[] = {";
    for index in 0..operations.len() {
        let _ = write!(text, "k{index}, ");
    }
    text += "};\nstatic const bool is_random[] = {";
    for operation in operations {
        let _ = write!(text, "{}, ", operation.over == Over::Random);
    }
    text += "};\n";
    text += MAIN;
    fs::write(at("t.cpp"), text).expect("written");
    for (over, name) in [(Over::Every, "every"), (Over::Random, "random")] {
        let inputs = inputs_of(over);
        let narrow = inputs.narrow.iter().flatten().flat_map(|n| n.to_le_bytes());
        let wide = inputs.wide.iter().flat_map(|n| n.to_le_bytes());
        fs::write(at(name), narrow.chain(wide).collect::<Vec<u8>>()).expect("written");
    }
    let compiled = Command::new("g++")
        .args(["-std=c++17", "-O1", "-w", "-ffp-contract=off", "-I"])
        .arg(toolkit.join("include"))
        .arg("-o")
        .args([at("t"), at("t.cpp")])
        .arg("-lquadmath")
        .output()
        .expect("g++ runs");
    let said = String::from_utf8_lossy(&compiled.stderr);
    assert!(compiled.status.success(), "{said}");
    let run = Command::new(at("t")).current_dir(folder.path()).output();
    let run = run.expect("it runs");
    assert!(run.status.success(), "{run:?}");
    let words = run.stdout.chunks_exact(8);
    let mut words = words.map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
    let of = |operation: &Operation| {
        words
            .by_ref()
            .take(inputs_of(operation.over).wide.len())
            .collect()
    };
    Some(operations.iter().map(of).collect())
}

const MAIN: &str = r#"
struct Set { std::vector<unsigned short> narrow; std::vector<word> wide; };
static Set read(const char *name) {
  FILE *file = fopen(name, "rb");
  fseek(file, 0, SEEK_END);
  size_t n = ftell(file) / (3 * sizeof(unsigned short) + sizeof(word));
  rewind(file);
  Set set{std::vector<unsigned short>(3 * n), std::vector<word>(n)};
  if (fread(set.narrow.data(), sizeof(unsigned short), 3 * n, file) != 3 * n) exit(1);
  if (fread(set.wide.data(), sizeof(word), n, file) != n) exit(1);
  fclose(file);
  return set;
}
int main() {
  Set sets[] = {read("every"), read("random")};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    Set &set = sets[is_random[k]];
    size_t n = set.wide.size();
    std::vector<word> out(n);
    for (threadIdx.x = 0; threadIdx.x < n; threadIdx.x++)
      all[k](&set.narrow[0], &set.narrow[n], &set.narrow[2 * n], &set.wide[0], &out[0]);
    fwrite(out.data(), sizeof(word), n, stdout);
  }
  return 0;
}
"#;
