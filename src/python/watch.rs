//! Long calls: without the interpreter lock, with a look for signals and progress now and then.

use std::ops::ControlFlow;

use pyo3::prelude::*;

use super::args::{errors, wrong_type};

/// Runs Rust code without the interpreter lock. Now and then it looks for signals and reports progress, if there is
/// any; when one of them raises, it stops and that is raised here. `done` is how much was done in the end, to be
/// reported last.
pub(super) fn watched<T: Send>(
    py: Python<'_>,
    done: impl FnOnce(&T) -> u64,
    progress: Option<&Bound<'_, PyAny>>,
    run: impl FnOnce(&mut dyn FnMut(u64) -> ControlFlow<()>) -> T + Send,
) -> PyResult<T> {
    if let Some(value) = progress.filter(|progress| !progress.is_callable()) {
        return Err(wrong_type("progress", "callable", value));
    }
    let progress = progress.map(|progress| progress.clone().unbind());
    let report = |py: Python<'_>, done: u64| {
        progress.as_ref().map_or(Ok(()), |progress| progress.call1(py, (done,)).map(|_| ()))
    };
    let (result, told) = py.detach(|| {
        // The most that `progress` was told, or what it raised.
        let mut told = Ok(0);
        let result = run(&mut |done| {
            let new = told.as_ref().is_ok_and(|&told| told < done);
            told = Python::attach(|py| {
                py.check_signals()?;
                if new { report(py, done).map(|()| done) } else { Ok(done) }
            });
            if told.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        (result, told)
    });
    let done = done(&result);
    if told? < done || done == 0 {
        report(py, done)?;
    }
    Ok(result)
}

/// Never raised: what stops the games is raised itself.
pub(super) fn stopped() -> PyErr {
    errors::SavannaError::new_err("the playouts were stopped")
}
