//! `tandem._tandem`: what the Python package `tandem` has from Rust.
//!
//! Data cross as `bytes` and text as JSON, so that nothing here depends on a version of numpy: the package makes arrays of
//! them. [`campaign`] runs campaigns and single cases, [`border`] is the way to a target in Python, [`chair`] the thread
//! that it has, and this file has what is only looked up: descriptions and recorded vectors.

mod border;
mod campaign;
mod chair;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tandem::describe::Form;
use tandem::wiring;
use tandem_isa::Edition;

include!(concat!(env!("OUT_DIR"), "/vectors.rs"));

/// What `tandem describe ISA INSTRUCTION… --json` prints.
#[pyfunction]
fn describe(isa: &str, instructions: Vec<String>) -> PyResult<String> {
    tandem::describe::describe(isa, &instructions, Form::Json).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// All instructions, as paths, in the order of reports.
#[pyfunction]
fn instructions() -> Vec<String> {
    wiring::references().instructions().map(|(_, instruction)| instruction.path()).collect()
}

/// The classes of the cells that an instruction has in the edition `newest`, in its own order.
#[pyfunction]
fn classes(path: &str) -> PyResult<Vec<&'static str>> {
    let suite = wiring::references();
    Ok(campaign::instruction(&suite, path)?.1.classes(Edition::Newest))
}

/// The paths of the embedded vectors, below their directory, ascending.
#[pyfunction]
fn vector_files() -> Vec<&'static str> {
    VECTORS.iter().map(|file| file.name).collect()
}

/// The text of an embedded file of vectors.
#[pyfunction]
fn vector_text(name: &str) -> PyResult<String> {
    let found = VECTORS.iter().find(|file| file.name == name);
    found.map(|file| file.text()).ok_or_else(|| PyValueError::new_err(format!("there is no file of vectors '{name}'")))
}

#[pymodule]
fn _tandem(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(describe, module)?)?;
    module.add_function(wrap_pyfunction!(instructions, module)?)?;
    module.add_function(wrap_pyfunction!(classes, module)?)?;
    module.add_function(wrap_pyfunction!(vector_files, module)?)?;
    module.add_function(wrap_pyfunction!(vector_text, module)?)?;
    module.add_function(wrap_pyfunction!(campaign::check, module)?)?;
    module.add_function(wrap_pyfunction!(campaign::programs, module)?)?;
    module.add_function(wrap_pyfunction!(campaign::replay, module)?)?;
    module.add_function(wrap_pyfunction!(chair::tell_on, module)?)?;
    module.add_function(wrap_pyfunction!(chair::left_behind, module)?)?;
    Ok(())
}
