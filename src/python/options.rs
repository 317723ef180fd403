//! The options of playouts and searches, read and checked, also for those who only want to know whether they are good.

use pyo3::prelude::*;

use super::args::{self, Threads, number, wrong_type};
use super::position::{PyPosition, PyView};
use super::rules::PyRules;
use crate::backend::Backend;
use crate::rollout::{MAX_GAMES, Options, Policy, Source};

/// What is to be played out.
pub(super) fn read_source(value: &Bound<'_, PyAny>) -> PyResult<Source> {
    if let Ok(rules) = value.cast::<PyRules>() {
        Ok(Source::Rules(rules.get().0))
    } else if let Ok(position) = value.cast::<PyPosition>() {
        Ok(Source::Position(position.get().0))
    } else if let Ok(view) = value.cast::<PyView>() {
        Ok(Source::View(view.get().0))
    } else {
        Err(wrong_type("source", "Rules, a Position or a View", value))
    }
}

/// How many games.
pub(super) struct Games(pub(super) u64);

impl<'py> FromPyObject<'_, 'py> for Games {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Games> {
        number(&value, "games", 1, MAX_GAMES).map(Games)
    }
}

/// The number of the first game.
pub(super) struct First(pub(super) u64);

impl<'py> FromPyObject<'_, 'py> for First {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<First> {
        number(&value, "first", 0, MAX_GAMES).map(First)
    }
}

/// A seed; the default is 0, and `None` has been replaced by one from the system.
pub(super) struct Seed(pub(super) u64);

impl<'py> FromPyObject<'_, 'py> for Seed {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Seed> {
        args::seed(if value.is_none() { None } else { Some(&value) }).map(Seed)
    }
}

/// How moves are chosen.
pub(super) struct PolicyName(pub(super) Policy);

impl<'py> FromPyObject<'_, 'py> for PolicyName {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<PolicyName> {
        Ok(PolicyName(args::text(&value, "policy")?.parse()?))
    }
}

/// The options of a call, each checked.
pub(super) fn read_options(
    games: &Games,
    seed: &Seed,
    threads: Option<&Bound<'_, PyAny>>,
    backend: Option<&Bound<'_, PyAny>>,
    policy: &PolicyName,
    first: &First,
) -> PyResult<Options> {
    let mut options = Options { first: first.0, seed: seed.0, policy: policy.0, ..Options::new(games.0) };
    options.check()?;
    if let Some(threads) = threads {
        options.threads = threads.extract::<Threads>()?.0;
    }
    if let Some(backend) = backend {
        options.backend = args::text(backend, "backend")?.parse()?;
    } else {
        options.backend = Backend::usual()?;
    }
    Ok(options)
}

/// Check the arguments of `rollout`, `rollout_many`, `rank_moves` or `playouts` without playing a game.
///
/// Takes and raises what `rollout` does.
#[pyfunction]
#[pyo3(signature = (source, games=Games(1), *, seed=Seed(0), threads=None, backend=None,
    policy=PolicyName(Policy::Uniform), first=First(0)),
    text_signature = "(source, games=1, *, seed=0, threads=None, backend=None, policy='uniform', first=0)")]
#[expect(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]
pub(super) fn check_rollout(
    source: &Bound<'_, PyAny>,
    games: Games,
    seed: Seed,
    threads: Option<&Bound<'_, PyAny>>,
    backend: Option<&Bound<'_, PyAny>>,
    policy: PolicyName,
    first: First,
) -> PyResult<()> {
    read_source(source)?;
    read_options(&games, &seed, threads, backend, &policy, &first)?;
    Ok(())
}
