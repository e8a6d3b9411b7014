//! `tandem describe`: all that the glue to somebody's implementation needs to know of an instruction set.

use super::{CliError, Common, Exit};
use crate::describe::{Form, describe};

pub(super) fn run(common: &Common, isa: &str, instructions: &[String], format: &str) -> Result<Exit, CliError> {
    let form = match format {
        "c" if common.json => {
            return Err(CliError::Usage("--json and --format c are two outputs; choose one".to_string()));
        }
        "c" => Form::CHeader,
        "json" => Form::Json,
        _ if common.json => Form::Json,
        _ => Form::Table,
    };
    out!("{}", describe(isa, instructions, form).map_err(|error| CliError::Usage(error.to_string()))?);
    Ok(Exit::Agree)
}
