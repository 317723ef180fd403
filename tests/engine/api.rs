//! What other crates may take for granted about public types: common traits, names that read back, and defaults.

use std::collections::{BTreeSet, HashSet};
use std::error::Error;
use std::fmt::{Debug, Display};
use std::hash::Hash;
use std::path::Path;
use std::process::Command;
use std::str::FromStr;

use crate::layout::{files_in, source};
use savanna_core::envs::{
    Batch, BatchError, BatchOptions, Episode, Illegal, Layout, LayoutError, Over, Reset, Reward, Rows, SavedError,
    Section,
};
use savanna_core::rank::RankError;
use savanna_core::score::{LinePoints, LineTally};
use savanna_core::search::champion::Learnt;
use savanna_core::search::knowledge::Knowledge;
use savanna_core::search::tree::{Edge, Tree};
use savanna_core::search::value::Value;
use savanna_core::search::{Champion, FlatMonteCarlo, Greedy, Ismcts, Random, SoftGreedy, Uct};
use savanna_core::*;

/// Checks that types have traits; gives the types' names without what stands between angle brackets.
macro_rules! all_are {
    ($check:ident: $($type:ty),+ $(,)?) => {{
        $($check::<$type>();)+
        [$(stringify!($type)),+].map(|name| name.split(['<', ' ']).next().unwrap_or_default().to_owned())
    }};
}

fn is_error<T: Error + Clone + Eq + Hash + Send + Sync + 'static>() {}
fn is_plain<T: Debug + Send + Sync>() {}
fn is_key<T: Debug + Clone + Eq + Hash + Send + Sync + 'static>() {}

/// The public types of the crate, as its sources name them. `python` and `capi` are private.
fn public_types() -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let is_private = |file: &Path| file.starts_with(root.join("python")) || file.starts_with(root.join("capi"));
    let mut types = BTreeSet::new();
    for file in files_in(&root).into_iter().filter(|file| !is_private(file)) {
        for line in source(&file).lines() {
            let named = line.strip_prefix("pub struct ").or(line.strip_prefix("pub enum "));
            let name = |rest: &str| rest.chars().take_while(char::is_ascii_alphanumeric).collect::<String>();
            types.extend(named.map(name));
        }
    }
    types
}

#[test]
fn every_public_type_can_be_shown_and_shared_between_threads_and_values_can_be_keys() {
    let errors = all_are!(is_error:
        BatchError, DeckError, LayoutError, NotationError, OptionsError, PlayError, RankError, RulesError, SavedError,
        SearchError, SolveError, StateError, UnknownName,
    );
    let keys = all_are!(is_key:
        Analysis, Animal, Backend, BatchOptions, Budget, Champion, Deck, Effort, Episode, Face, FlatMonteCarlo, Greedy,
        Hand, Illegal, Ismcts, LegalMoves, Line, LinePoints, LineScore, LineState, LineTally, Move, MoveAnalysis, Objective, Options,
        Outcome, Over, Placed, Policy, Position, Purpose, Random, RankedMove, Reset, Reward, Rules, RulesOptions, Seat, Section, Seen,
        SoftGreedy, Solution, Source, Space, Stats, Tally, Team, TeamSet, TileCounts, View, Worth, Xoshiro256PlusPlus,
        BySeat<u8>, ByTeam<u8>, LineSet, SpaceSet,
    );
    let others = all_are!(is_plain:
        Batch, Edge, Knowledge<'_>, Layout, Learnt<'_>, Mean, Playout<'_>, Rows<'_, f32>, Setting, Solver,
        Tree<'_, Knowledge<'_>, Uct>, Uct, Value, World<'_>,
    );
    let checked: BTreeSet<String> = errors.iter().chain(&keys).chain(&others).cloned().collect();
    let public = public_types();
    let missed: Vec<_> = public.difference(&checked).collect();
    assert!(missed.is_empty(), "{missed:?} are not checked here");
    let misnamed: Vec<_> = public.iter().filter(|name| name.ends_with("Error") && !errors.contains(name)).collect();
    assert!(misnamed.is_empty() && public.len() > 50, "{misnamed:?} are no errors, of {}", public.len());
}

/// Names differ, are shown with padding, and read back; others are refused.
fn read_back<T: Copy + Debug + Display + PartialEq + FromStr<Err: Display>>(all: &[T]) {
    let names: HashSet<String> = all.iter().map(T::to_string).collect();
    assert_eq!(names.len(), all.len());
    for &it in all {
        let name = it.to_string();
        assert_eq!(name.parse().ok(), Some(it));
        assert_eq!(format!("[{it:>20}]"), format!("[{name:>20}]"));
        for wrong in [name.to_uppercase(), format!("{name} "), String::new()] {
            let error = wrong.parse::<T>().err().unwrap_or_else(|| panic!("{wrong} reads as {it}"));
            assert!(error.to_string().contains(&format!("'{wrong}'")), "{error}");
        }
    }
}

#[test]
fn what_has_a_name_reads_back() {
    read_back(&Animal::ALL);
    read_back(&Face::ALL);
    read_back(&Space::ALL);
    read_back(&Policy::ALL);
    read_back(Backend::available());
    read_back(&Objective::NAMED);
    read_back(Reward::ALL);
    read_back(Illegal::ALL);
    read_back(Reset::ALL);
    let error = "c3".parse::<Space>().expect_err("a hole");
    assert_eq!(error.to_string(), "space text: 'c3' is not a space");
}

#[test]
fn seats_and_teams_are_shown_as_their_numbers() {
    assert_eq!(Seat::ALL.map(|seat| seat.to_string()), ["0", "1", "2", "3"]);
    assert_eq!(Team::ALL.map(|team| format!("{team:>3}")), ["  0", "  1", "  2", "  3"]);
}

#[test]
fn players_think_as_much_by_default_as_those_of_other_languages() {
    let effort = Effort { budget: Budget::Iterations(40_000), seed: 0, threads: std::num::NonZeroUsize::MIN };
    assert_eq!(Champion::default(), Champion(effort));
    assert_eq!(Ismcts::default(), Ismcts(Effort::iterations(10_000)));
    assert_eq!(FlatMonteCarlo::default(), FlatMonteCarlo(Effort::iterations(20_000)));
    assert_eq!(SoftGreedy::default(), SoftGreedy(Effort::iterations(20_000)));
}

/// What the variable asks for is what is used; this runs once more for each value.
#[test]
fn the_usual_backend_is_used_where_none_is_named() {
    let asked = std::env::var("SAVANNA_BACKEND").unwrap_or_default();
    let usual = Backend::available().iter().copied().find(|backend| backend.name() == asked);
    let used = Options::new(1).backend;
    assert_eq!(used, usual.unwrap_or(Backend::available()[0]));
    match Backend::usual() {
        Ok(backend) => assert_eq!((backend, usual.is_some() || asked.is_empty()), (used, true)),
        Err(error) => assert!(error.to_string().ends_with("got 'abacus'") && asked == "abacus", "{error}"),
    }
}

#[test]
fn the_environment_names_the_usual_backend() {
    let program = std::env::current_exe().expect("this program");
    let names = Backend::available().iter().map(|backend| backend.name());
    for name in names.chain(["", "abacus"]) {
        let mut again = Command::new(&program);
        again.args(["api::the_usual_backend_is_used_where_none_is_named", "--exact"]).env("SAVANNA_BACKEND", name);
        let output = again.output().expect("this program runs");
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && said.contains("1 passed"), "{name}: {said}");
    }
}
