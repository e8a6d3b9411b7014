//! The command line.

mod embedded;

fn main() -> std::process::ExitCode {
    tandem::cli::main(embedded::VECTORS)
}
