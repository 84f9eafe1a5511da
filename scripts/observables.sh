#!/usr/bin/env bash
# Stores what a user can observe of the tool, and compares two stores: for changes of the code after
# which nothing observable may have changed.
#
#   scripts/observables.sh store DIR      runs every command of the plan, one record a command
#   scripts/observables.sh compare OLD NEW
#                                         shows which records differ, and how; status 1 if any does
#   scripts/observables.sh plan           prints the commands
#   scripts/observables.sh self-test      shows that compare finds what is planted, and nothing else
#
# Options of store, plan and self-test:
#   --program FILE    the tool [default: target/release/gridlock of this tree]
#   --jobs N          commands run at the same time [default: the number of processors]
#   --every N         only every Nth command
#   --only REGEX      only commands in which the expression is found
#
# A record has the command, exit statuses, standard output, standard error, and every file the command
# left in out/. What may differ between two runs of one program is made equal (`equal_form` below):
# seconds, bytes in use, rates, the folder of the run. Nothing else may: searches are cut by counts, not by
# time, and store names the commands that met a limit of time or memory, whose records cannot be compared.
# DIR/milliseconds.txt has how long each took, the slowest first.
set -euo pipefail
export LC_ALL=C
script=$(realpath "${BASH_SOURCE[0]}")
root=${OBSERVED_ROOT:-$(dirname "$(dirname "$script")")}

fail() {
  printf 'observables: %s\n' "$@" >&2
  exit 2
}

# --- The plan: a line is a bash command; it runs beside the tree's folders, and out/ is empty -------

# Searches end by count; seconds are so many that a busy machine meets none of them.
limits='--limit-states 3000 --limit-depth 100000 --limit-seconds 300'
# So long may one line take.
most_seconds=900
# What a report says that met a limit of time or memory.
limit_met='--limit-(seconds|bytes)\)|[0-9] (s|bytes) (a kernel|in all)|stopped after|clang needs more|did not end within'

# Files with a program in them, of all the folders that the tests judge.
sources() {
  find -L tests examples lowering/tests/kernels frontend/src/scheme frontend/tests/scheme \
    ../shared/programs ../shared/peers -type f \
    \( -name '*.cu' -o -name '*.cl' -o -name '*.c' -o -name '*.scheme' \) 2>/dev/null | sort
}

of_each_source() {
  local file target
  local -A is_unproved=() has_launch=()
  # Where a header says `proofs: off`, only time would end the proof.
  while read -r file; do is_unproved[$file]=1; done < <(sources | xargs -d '\n' grep -l '^// proofs: off')
  while read -r file; do has_launch[$file]=1; done < <(sources | xargs -d '\n' grep -l '<<<')
  while read -r file; do
    # With proofs as JSON; as text without, so that the engines that run the program speak for themselves.
    [[ -n ${is_unproved[$file]-} ]] ||
      echo "gridlock check $file $limits --format json --witness-dir out; replay_all"
    echo "gridlock check $file $limits --no-proof"
    echo "gridlock explore $file $limits --format json"
    echo "gridlock explore $file $limits --grid 1 --block 2 --profile paper"
    echo "gridlock trace $file --limit-depth 200"
    # The samples' proofs are long, and `check` has them.
    [[ $file != tests/corpus/*/* || $file == */samples/* ]] || echo "gridlock prove $file --limit-seconds 300"
    for target in cuda opencl scheme; do
      echo "gridlock lower $file --target $target"
    done
    # Host code, there and back.
    if [[ -n ${has_launch[$file]-} ]]; then
      echo "gridlock lower $file --target host"
      for target in cuda-driver opencl-host csharp; do
        echo "gridlock lower $file --target $target -o out && lift_all $target"
      done
    fi
  done < <(sources)
}

# Programs that differ in what makes one of them wrong, and others that the tests compare.
of_pairs() {
  local broken right name
  while read -r broken; do
    right=${broken/-broken./.}
    echo "gridlock equiv $right $broken $limits --format json"
    echo "gridlock equiv $right $right $limits"
  done < <(sources | grep -e '-broken\.')
  for name in case-12345 mode-1234 case-of-none; do
    echo "gridlock equiv tests/shown/case-old.cu tests/shown/$name.cu"
    echo "gridlock equiv tests/shown/$name.cu tests/shown/case-old.cu --grid 1 --block 4"
  done
  for name in difference difference-int difference-float; do
    echo "gridlock equiv tests/shown/difference.cu tests/shown/$name.cu --grid 1 --block 1 --inputs random:1:20"
  done
  for name in product-gpu product-shared; do
    echo "gridlock equiv examples/schemes/product.scheme examples/schemes/$name.scheme" \
      "--kernel product --arg n=3 --extent a=9 --extent b=9 --extent c=9"
  done
  name='--kernel run --arg n=3 --extent numbers=n'
  echo "gridlock equiv tests/corpus/papers/blocks-of-the-array.cu tests/corpus/papers/blocks-of-the-array-broken.cu $name"
  echo 'gridlock equiv examples/bitonic-sort/bitonic_sort.c examples/bitonic-sort/bitonic_sort.c' \
    '--arg n=8 --extent a=n --every-schedule'
}

# Searches of other kinds, other profiles, conditions, pages, logs.
of_some_sources() {
  local file options
  for file in tests/corpus/{barriers,memory,progress,races,synchronisation,warps}/*.cu; do
    for options in '--engine stateless' '--no-reduction --exact --dot out/states.dot' '--order depth --stop-at-first' \
      '--profile cuda-hw --cooperative --order guided' '--profile paper-literal --against cuda --format json'; do
      echo "gridlock explore $file $limits --grid 1 --block 2 $options"
    done
    echo "gridlock trace $file --grid 1 --block 2 --profile paper --limit-depth 100 --format json"
  done
  for file in tests/conditions/*.cu; do
    echo "gridlock check $file --explain-conditions --vary-points 40 --limit-seconds 300"
    echo "gridlock check $file --explain-conditions --vary-points 40 --limit-seconds 300 --format json"
  done
  for file in tests/input/{race,meeting,race_decides}.cu; do
    echo "gridlock explore $file --block 2 --html out/page.html"
    echo "gridlock check $file --block 2 --save-witness out/w.json; gridlock replay out/w.json --html out/page.html --all"
    echo "gridlock explore $file --block 8 --limit-states 100 --checkpoint out/cut.search >out/first;" \
      "gridlock explore $file --block 8 --limit-states 30000 --continue out/cut.search; rm -f out/cut.search"
    echo "gridlock check $file --block 2 --every-schedule --no-proof --inputs random:7:5"
    echo "gridlock check $file --inputs all --require sizes --device-limits none"
  done
  for file in tests/corpus/{arithmetic,races,warps}/*.cu tests/corpus/opencl/*.cl lowering/tests/kernels/*.cu; do
    echo "gridlock diff $file --device interpreter --grid 1 --block 4"
  done
}

# The headers say what must come out; under other profiles rows say what comes out there.
of_suites() {
  local folder profile
  for folder in tests/corpus/*/ tests/{conditions,endless,language,rule_conditions,rules,shown,transformations}; do
    echo "gridlock suite ${folder%/} --jobs 1 $limits --format json"
  done
  for profile in cuda-guide cuda-hw lockstep-warp opencl paper paper-literal portable; do
    for folder in tests/corpus/{barriers,bounds,memory,opencl,progress,races,synchronisation,warps}; do
      echo "gridlock suite $folder --jobs 1 $limits --profile $profile --format json"
    done
  done
  echo 'gridlock suite tests/corpus/races --jobs 1'
}

of_rules() {
  local file rules name
  for file in tests/transformations/*.toml examples/*/*.toml ../shared/programs/*.toml; do
    [[ -e $file ]] || continue
    echo "gridlock verify $file --keep-going --out out"
    echo "gridlock verify $file --format json"
  done
  echo 'gridlock verify examples/tree-sum/pipeline.toml --brief --run-devices --write out'
  for file in examples/offload/*.c; do
    echo "gridlock offload $file -o out; gridlock offload $file --format json"
  done
  for rules in transforms/rules/*.rules transforms/rules/mutants/*.rules; do
    name=${rules#transforms/rules/} name=${name%.rules}
    echo "gridlock prove $name"
    # Mutants are in the pipelines.
    [[ $name != mutants/* ]] || continue
    for file in tests/rules/* examples/{tree-sum,bitonic-sort,first-rule}/*.c*; do
      echo "gridlock rewrite $file --rules $name --list --trace-file out/steps.json"
    done
  done
  name='tests/fuzz_commands/material/sums.terms --rules tests/fuzz_commands/material/simplify.rules'
  for rules in '' --trace --provenance --statistics --each-anew '--format json'; do
    echo "gridlock normalise $name $rules"
  done
}

of_pages_and_help() {
  local name
  # What pages show; those that write files elsewhere than into out/ there are none.
  sed -n 's/^\$ \(gridlock .*\)/\1/p' README.md docs/*.md
  for name in check equiv verify explore prove summarise offload rewrite normalise lower lift diff replay trace profiles devices suite completions man; do
    echo "gridlock $name --help; gridlock $name -h; gridlock $name; gridlock $name --bogus"
  done
  echo 'gridlock --help; gridlock -h; gridlock --version; gridlock; gridlock nothing; gridlock help check'
  echo 'gridlock profiles; gridlock profiles --format json; gridlock profiles cuda paper; gridlock profiles none'
  echo 'gridlock devices; gridlock devices --format json'
  echo 'gridlock completions bash; gridlock man check'
}

# What is refused, and with which words.
of_bad_input() {
  local command file options
  for file in tests/input/* nowhere.cu tests/input README.md; do
    for command in check explore prove 'lower --to scheme' verify replay offload 'rewrite --rules unroll-loop' \
      "normalise --rules tests/input/unbound.rules" 'lift --target opencl-host' "trace --witness"; do
      case $file in
        *.cu | *.cl) [[ $command != check && $command != prove && $command != lower* ]] || continue ;;
      esac
      echo "gridlock $command $file $([[ $command != explore ]] || echo "$limits"); gridlock $command $file --format json"
    done
  done
  file=tests/input/fill.cu
  for options in '--grid 0' '--grid x' '--grid 1,2,3,4' '--block 1025' '--block -1' '--arg value' '--arg nobody=1' \
    '--arg value=x' '--extent a=-1' '--extent nobody=3' '--contents a=full' '--contents a=range:1' '--kernel nobody' \
    '--profile none' '--profile README.md' '--property speed' '--inputs some' '--require much' '--device-limits sm_1' \
    '--limit-seconds nan' '--limit-states x' '--limit-bytes 1' '--format xml' '--color red' '-D 1=2' '--std c++1' \
    '--recursion x' '--vary block=1..4' '--explain-conditions --vary nobody=1' '--save-witness nowhere/w.json' \
    '--shared-bytes 1000000' '--color always' '--block 4 --cooperative' "--instantiate 'fill<int>'"; do
    echo "gridlock check $file $options; gridlock check $file $options --format json"
  done
  for options in '--order sideways' '--engine none' '--continue README.md' '--against none' '--dot nowhere/a.dot'; do
    echo "gridlock explore $file $options"
  done
  echo "gridlock equiv $file $file --modulo reals; gridlock equiv $file $file --observe nonsense; gridlock equiv $file"
  echo "gridlock trace $file --block 2 --schedule nobody; gridlock trace $file --block 2 --schedule 'b7.t0'"
  echo "gridlock rewrite $file --rules none; gridlock rewrite $file; gridlock rewrite $file --replay tests/input/not_a_trace.json"
  echo "gridlock lower $file --target fortran; gridlock lower $file --patterns README.md; gridlock lower $file -o nowhere/a"
  echo 'gridlock suite tests/gridlock; gridlock suite nowhere; gridlock suite tests/input --baseline README.md'
}

# The long ones first, so that no processor waits for the last.
plan() {
  {
    of_suites
    of_rules
    of_each_source
    of_pairs
    of_some_sources
    of_pages_and_help
    of_bad_input
  } | sed -n "1~${every}p" | grep -E -e "$only" | awk '!seen[$0]++'
}

# --- Records ---------------------------------------------------------------------------------------

# What a line of the plan may call beside the tool. Statuses go to descriptor 3.
prelude='
gridlock() { local status=0; command gridlock "$@" || status=$?; echo "status $status" >&3; return $status; }
replay_all() { local w; for w in out/*.json; do [[ ! -e $w ]] || gridlock replay "$w" --print; done; }
lift_all() { local f; for f in out/*.cpp out/*.cs; do [[ ! -e $f ]] || gridlock lift "$f" --target "$1"; done; }
'

# Standard input without what may differ between two runs of one program.
equal_form() {
  sed -E \
    -e "s#$1#RUN#g" \
    -e 's/"(seconds|peak_bytes)": [-+0-9.e]+/"\1": N/' \
    -e 's/\b[0-9]+\.[0-9]+ (s|[KMG]iB|million a second)\b/N \1/g' \
    -e 's/^(  (yes|NO) .*) [0-9]+\.[0-9]{2}( +[a-z]|$)/\1 N\3/' \
    -e 's/gridlock-run-[A-Za-z0-9]+/gridlock-run-N/g'
}

# A name for the record of a line: readable, and its own.
record_name() {
  local sum
  sum=$(cksum <<<"$1")
  printf '%.120s-%s' "$(tr -cs 'A-Za-z0-9.=-' _ <<<"${1#gridlock }")" "${sum%% *}"
}

# record LINE: runs a line of the plan; $store, $bin and $work are the surroundings.
record() {
  local line=$1 name folder status=0 started file
  name=$(record_name "$line")
  folder=$(mktemp -d "$work/run.XXXXXX")
  mkdir "$folder/out" "$folder/kept"
  ln -s "$root"/{README.md,benches,docs,examples,frontend,lowering,tests,transforms} "$folder"
  cd "$folder"
  started=${EPOCHREALTIME/./}
  PATH=$bin:$PATH timeout --kill-after=10 $most_seconds bash -c "$prelude$line" \
    </dev/null >kept/stdout 2>kept/stderr 3>kept/status || status=$?
  printf '%6d %s\n' $(((${EPOCHREALTIME/./} - started) / 1000)) "$line" >>"$store/milliseconds.txt"
  {
    printf '$ %s\n' "$line"
    cat kept/status
    case $status in
      124 | 137) echo "did not end within $most_seconds seconds" ;;
    esac
    for file in kept/stdout kept/stderr; do
      [[ ! -s $file ]] || { echo "=== ${file#kept/}"; cat "$file"; }
    done
    find out -type f | sort | while read -r file; do
      echo "=== $file"
      cat "$file"
    done
  } | equal_form "$folder" >"$store/records/$name"
  cd "$work"
  rm -rf "$folder"
}

store() {
  [[ -x $program ]] || fail "$program: no such program (cargo build --release, or --program FILE)"
  [[ ! -e $1 ]] || fail "$1 is there already"
  mkdir -p "$1/records"
  store=$(realpath "$1") work=$(mktemp -d "${TMPDIR:-/tmp}/observables.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  # Help names the program as it was called.
  bin=$work/bin
  mkdir "$bin"
  ln -s "$(realpath "$program")" "$bin/gridlock"
  [[ ! -e $root/../shared ]] || ln -s "$root/../shared" "$work/shared"
  unset NO_COLOR GRIDLOCK_LOG RUST_LOG GRIDLOCK_SUPERVISOR GRIDLOCK_RUN_FOLDER
  export COLUMNS=100 GRIDLOCK_NVCC=${GRIDLOCK_NVCC:-$root/.toolchain/cuda/bin/nvcc}
  # The script may be changed while it runs.
  cp "$script" "$work/observables.sh"
  export store work bin OBSERVED_ROOT=$root
  cd "$root"
  plan >"$store/plan.txt"
  xargs -d '\n' -P "$jobs" -n 1 "$work/observables.sh" record <"$store/plan.txt"
  sort -rn -o "$store/milliseconds.txt" "$store/milliseconds.txt"
  echo "$(wc -l <"$store/plan.txt") commands, $(find "$store/records" -type f | wc -l) records in $1/records"
  # By count limits are the same everywhere; by time or memory they are not.
  local limited
  limited=$(grep -rlE -- "$limit_met" "$store/records" | sort || true)
  if [[ -n $limited ]]; then
    echo 'met a limit of time or memory, so their records say little:'
    while read -r file; do head -n 1 "$file"; done <<<"$limited"
  fi
  touch "$store/complete"
}

compare() {
  local name differing=0 old=$1 new=$2
  for name in "$old" "$new"; do
    [[ -e $name/complete ]] || fail "$name: no store, or one that was not finished"
  done
  while read -r name; do
    differing=$((differing + 1))
    if [[ ! -e $new/records/$name ]]; then
      echo "only in $old: $(head -n 1 "$old/records/$name")"
    elif [[ ! -e $old/records/$name ]]; then
      echo "only in $new: $(head -n 1 "$new/records/$name")"
    else
      head -n 1 "$old/records/$name"
      diff -U 1 "$old/records/$name" "$new/records/$name" | sed -n '3,16p' | cut -c 1-200 || true
    fi
    echo
  done < <(diff -rq "$old/records" "$new/records" |
    sed -E -e 's#^Only in [^:]*: ##' -e 's#^Files .* and .*/([^/]+) differ$#\1#')
  echo "$differing of $(find "$old/records" -type f | wc -l) commands differ"
  ((differing == 0))
}

# --- Self-test -------------------------------------------------------------------------------------

# The plan is understood; the same program twice is equal; whatever is planted in a record is found, and named.
self_test() {
  local folder told record
  (cd "$root" && plan) | bash -n || fail 'the plan has a line that is no command'
  folder=$(mktemp -d "${TMPDIR:-/tmp}/observables-test.XXXXXX")
  only='^gridlock (check|explore|verify) (tests/input/race\.cu|tests/transformations/T01-scale\.toml)'
  (store "$folder/old") >/dev/null
  (store "$folder/new") >/dev/null
  compare "$folder/old" "$folder/new" || fail 'two runs of one program differ'
  planted() {
    rm -rf "$folder/planted"
    cp -r "$folder/old" "$folder/planted"
    record=$(grep -rlE -- "$1" "$folder/planted/records" | sort | head -n 1)
    [[ -n $record ]] || fail "no record has $1"
    sed -i -E "0,/$1/s//$2/" "$record"
    told=$(compare "$folder/old" "$folder/planted") && fail "compare does not see $1 become $2"
    [[ $told == "$(head -n 1 "$record")"*"$2"*"1 of "*" commands differ" ]] || fail "compare says of $1: $told"
  }
  planted refuted passed
  planted 'both write' 'both read'
  planted '"states": [0-9]+' '"states": 4711'
  planted 'status 1' 'status 0'
  planted '=== out.[a-z0-9.-]+' '=== out.missing'
  rm "$record"
  told=$(compare "$folder/old" "$folder/planted") && fail 'compare does not miss a record'
  rm -rf "$folder"
  echo 'what was planted was found'
}

# ---------------------------------------------------------------------------------------------------

program=$root/target/release/gridlock jobs=$(nproc) every=1 only=.
words=()
[[ ${1-} != record ]] || { record "$2"; exit; }
while (($#)); do
  case $1 in
    --program | --jobs | --every | --only)
      (($# > 1)) || fail "$1 needs a value"
      declare "${1#--}=$2"
      shift
      ;;
    --*) fail "no option $1" ;;
    *) words+=("$1") ;;
  esac
  shift
done
program=$(realpath -m "$program")
case "${words[0]-} ${#words[@]}" in
  'store 2') store "${words[1]}" ;;
  'compare 3') compare "${words[1]}" "${words[2]}" ;;
  'plan 1') cd "$root" && plan ;;
  'self-test 1') self_test ;;
  *) sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$script" >&2; exit 2 ;;
esac
