//! Files that the program writes for itself to read again: a head with their form and a digest, and then what they hold.
//!
//! A file is read only if it is, byte for byte, what is written for what it holds. So whatever was changed in it is refused.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// What comes between the head and what the file holds.
const LEFT: &str = ",\"left\":";

/// What files of one form are called, and which version of the form this build writes and reads.
pub(super) struct Form {
    pub name: &'static str,
    pub version: u32,
}

/// Why a file is not taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum SealError {
    /// It has no head, or ends too early.
    #[error("it is not whole, or no file of this kind")]
    NotWhole,
    /// Its head has something else than a head has.
    #[error("its head is not that of such a file ({0})")]
    Head(serde_json::Error),
    /// Another build wrote it.
    #[error("it is '{found}', version {version}, and this build reads '{name}', version {reads}")]
    Other { found: String, version: u32, name: &'static str, reads: u32 },
    /// What it holds is not what was written.
    #[error("its digest is not that of what it holds, so the file was changed")]
    Changed,
    /// What it holds has another form.
    #[error("it holds what this build does not know ({0})")]
    Unknown(serde_json::Error),
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: String,
    version: u32,
    digest: String,
}

impl Form {
    /// The text of a file.
    pub(super) fn seal(&self, held: &impl Serialize) -> String {
        self.around(&serde_json::to_string(held).expect("what is kept serializes"))
    }

    fn around(&self, held: &str) -> String {
        let head = Head { format: self.name.to_string(), version: self.version, digest: digest(held.as_bytes()) };
        let head = serde_json::to_string(&head).expect("a head serializes");
        let open = head.strip_suffix('}').unwrap_or(&head);
        format!("{open}{LEFT}{held}}}\n")
    }

    /// What a file holds.
    ///
    /// # Errors
    /// Why it is not taken.
    pub(super) fn open<T: DeserializeOwned>(&self, text: &str) -> Result<T, SealError> {
        let parts = text.strip_suffix("}\n").and_then(|text| text.split_once(LEFT));
        let (head, held) = parts.ok_or(SealError::NotWhole)?;
        let head: Head = serde_json::from_str(&format!("{head}}}")).map_err(SealError::Head)?;
        if head.format != self.name || head.version != self.version {
            let (found, version) = (head.format, head.version);
            return Err(SealError::Other { found, version, name: self.name, reads: self.version });
        }
        if self.around(held) != text {
            return Err(SealError::Changed);
        }
        serde_json::from_str(held).map_err(SealError::Unknown)
    }
}

/// The SHA-256 of bytes, in hexadecimal digits.
pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    const FORM: Form = Form { name: "tandem test", version: 3 };

    #[test]
    fn a_file_reads_back_and_with_any_byte_changed_lost_or_added_it_does_not() {
        let held = json!({ "cases": 1, "text": "a\"left\":b", "list": [1.5, null] });
        let text = FORM.seal(&held);
        assert_eq!(FORM.open::<Value>(&text).expect("it was written here"), held);
        let bytes = text.as_bytes();
        let refused = |bytes: Vec<u8>| {
            let taken = String::from_utf8(bytes).ok().and_then(|text| FORM.open::<Value>(&text).ok());
            assert!(taken.is_none(), "{taken:?}");
        };
        for place in 0..bytes.len() {
            for flip in [1, 2, 4, 8, 16, 32, 64, b' ' ^ bytes[place], b'\t' ^ bytes[place]] {
                let mut other = bytes.to_vec();
                other[place] ^= flip;
                if other != bytes {
                    refused(other);
                }
            }
            refused([&bytes[..place], &bytes[place + 1..]].concat());
            refused([&bytes[..place], b" ", &bytes[place..]].concat());
            refused(bytes[..place].to_vec());
        }
    }

    #[test]
    fn another_version_is_called_so() {
        let older = Form { version: 2, ..FORM };
        let error = FORM.open::<Value>(&older.seal(&json!(1))).expect_err("it is of another version");
        let says = "it is 'tandem test', version 2, and this build reads 'tandem test', version 3";
        assert_eq!(error.to_string(), says);
    }
}
