# Daily commands. `just` alone lists them.

_list:
    @just --list --unsorted

# Replay the recorded vectors, fuzz until every cell is decided (10 to 30 seconds), leave a report in reports/latest.
fuzz *arguments:
    cargo run --release -- fuzz {{arguments}}

# The conformance gate.
test *arguments:
    cargo test {{arguments}}

# What a change must pass, in the order in which it fails fastest.
check: fmt-check clippy doc test

# All of it as the continuous integration runs it, with the emulated CPUs.
ci:
    .ci/run

fmt:
    cargo fmt --all

fmt-check:
    cargo fmt --all --check

clippy:
    cargo clippy --workspace --all-targets --locked -- -D warnings

doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked

# The example targets in C and C++, into target/targets.
targets:
    make -C examples/targets

# Build the wheel into a fresh environment, and run the tests of Python.
python *arguments:
    python/run-tests {{arguments}}

# Licences, advisories and sources of the dependencies (needs cargo-deny).
deny:
    cargo deny check

# Every value of each operand domain of at most 19 bits, in every cell.
exhaust *arguments:
    cargo run --release -- exhaust {{arguments}}

# The test of the tests: every deliberately wrong target must be found, and in every cell that passed one more.
faults:
    cargo run --release -- faults --per-cell

# Fuzz until every cell is decided, and fail if one is open.
complete cases="600000":
    cargo run --release -- fuzz --complete --cases {{cases}}

# Read, replay and lint the recorded vectors.
vectors:
    cargo run --release -- vectors check
    cargo run --release -- vectors lint

# Record our own vectors anew; the same seed and version give the same bytes.
record:
    cargo run --release -- vectors record

# Compare the committed reports with what the code says now.
report:
    cargo run --release -- report

# Write the committed reports anew.
bless:
    cargo run --release -- report --bless

# Nanoseconds of the reference, of each level and of a complete case.
bench:
    cargo run --profile dist -- bench

# Lines of the reference that no case reaches, into reports/coverage.md (needs cargo-llvm-cov, and rustup's llvm-tools).
coverage cases="4000000":
    cargo llvm-cov run --no-report -- fuzz --seed 1 --cases {{cases}} --no-vectors --quiet
    cargo llvm-cov report --package tandem-reference --lcov --output-path target/coverage.lcov
    cargo run --example coverage -- target/coverage.lcov

# Lines of Rust that each instruction has of its own, by room.
cost:
    cargo run --quiet --example cost
