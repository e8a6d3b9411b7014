//! Signatures of records, by `ssh-keygen -Y`: beside the record, as `record.json.sig`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::{CliError, files};

/// What is signed: a signature for something else does not hold for a record.
const NAMESPACE: &str = "tandem-record";

/// Where the signature of a file is.
pub(super) fn of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".sig");
    name.into()
}

/// Signs a file with a private key.
pub(super) fn sign(path: &Path, key: &Path) -> Result<(), CliError> {
    // An earlier signature would be asked about.
    files::remove(&of(path))?;
    let mut keygen = Command::new("ssh-keygen");
    keygen.args(["-Y", "sign", "-n", NAMESPACE, "-f"]).arg(key).arg(path);
    match ran(&mut keygen)? {
        Ok(()) => Ok(()),
        Err(said) => Err(CliError::Usage(format!("{}: ssh-keygen cannot sign with it: {said}", key.display()))),
    }
}

/// Whether the signature of a file is that of an allowed signer; what ssh-keygen says if not.
pub(super) fn verify(path: &Path, signers: &Path, operator: &str) -> Result<Result<(), String>, CliError> {
    let text = std::fs::File::open(path).map_err(CliError::io(path))?;
    let mut keygen = Command::new("ssh-keygen");
    keygen.args(["-Y", "verify", "-n", NAMESPACE, "-I", operator, "-f"]).arg(signers).arg("-s").arg(of(path));
    ran(keygen.stdin(text))
}

/// Runs it; what it says if it fails.
fn ran(keygen: &mut Command) -> Result<Result<(), String>, CliError> {
    let output = keygen.stdout(Stdio::piped()).stderr(Stdio::piped()).output();
    let output =
        output.map_err(|error| CliError::Usage(format!("ssh-keygen cannot be run ({error}); install OpenSSH")))?;
    let said = [output.stderr, output.stdout].map(|text| String::from_utf8_lossy(&text).trim().replace('\n', "; "));
    Ok(if output.status.success() { Ok(()) } else { Err(said.join(" ").trim().to_string()) })
}
