//! The Python face: frozen wrappers with one field, checks of arguments, and errors carried over. Nothing is computed
//! here.

mod args;
mod watch;
mod rules;
mod moves;
mod position;
mod options;
mod stats;
mod playouts;
mod rollout;
mod analysis;
mod players;
mod solve;
mod envs;
mod batch;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::board::{Line, Space};
use crate::envs::ENV_VERSION;
use crate::moves::ACTIONS;
use crate::rollout::{BATCH, MAX_GAMES, MAX_THREADS, Policy};
use crate::rules::RULES_VERSION;
use crate::search::endgame::Objective;
use crate::tile::{Animal, Face};

/// The compiled engine of savanna; `import savanna` gives all of it.
#[pymodule]
fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add_class::<rules::PyRules>()?;
    module.add_class::<moves::PyMove>()?;
    module.add_class::<position::PyPosition>()?;
    module.add_class::<position::PyView>()?;
    module.add_class::<stats::PyStats>()?;
    module.add_class::<playouts::PyPlayouts>()?;
    module.add_class::<analysis::PyAnalysis>()?;
    module.add_class::<solve::PySolution>()?;
    module.add_class::<players::PyRandom>()?;
    module.add_class::<players::PyGreedy>()?;
    module.add_class::<players::PyFlatMonteCarlo>()?;
    module.add_class::<players::PySoftGreedy>()?;
    module.add_class::<players::PyIsmcts>()?;
    module.add_class::<players::PyChampion>()?;
    module.add_class::<envs::PyLayout>()?;
    module.add_class::<envs::PyEpisode>()?;
    module.add_class::<batch::PyBatch>()?;
    module.add_function(wrap_pyfunction!(players::analyse, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::rollout, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::rollout_many, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::rank_moves, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::rank_stats, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::playouts, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::moves_to_rank, module)?)?;
    module.add_function(wrap_pyfunction!(options::check_rollout, module)?)?;
    module.add_function(wrap_pyfunction!(players::check_search, module)?)?;
    module.add_function(wrap_pyfunction!(batch::check_batch, module)?)?;
    module.add_function(wrap_pyfunction!(solve::solve, module)?)?;
    module.add_function(wrap_pyfunction!(rollout::backends, module)?)?;
    let names = |spaces: &mut dyn Iterator<Item = Space>| args::tuple(py, spaces.map(Space::name));
    let lines: Vec<_> = Line::ALL.iter().map(|line| names(&mut line.spaces())).collect::<PyResult<_>>()?;
    module.add("SPACES", names(&mut Space::ALL.into_iter())?)?;
    module.add("LINES", PyTuple::new(py, lines)?)?;
    module.add("ANIMALS", args::tuple(py, Animal::ALL.into_iter().map(Animal::name))?)?;
    module.add("FACES", args::tuple(py, Face::ALL.into_iter().map(Face::name))?)?;
    module.add("ACTIONS", ACTIONS)?;
    module.add("POLICIES", args::tuple(py, Policy::ALL.into_iter().map(Policy::name))?)?;
    module.add("OBJECTIVES", args::tuple(py, Objective::NAMED.into_iter().map(Objective::name))?)?;
    module.add("BATCH", BATCH)?;
    module.add("MAX_GAMES", MAX_GAMES)?;
    module.add("MAX_THREADS", MAX_THREADS)?;
    module.add("RULES_VERSION", RULES_VERSION)?;
    module.add("ENV_VERSION", ENV_VERSION)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))
}
