//! The rule of the walk: a module uses only modules that `lib.rs` lists above it.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn source(path: impl AsRef<Path>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a module: one of its name, or all in the folder of its name and the folders in it.
fn files(module: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(module);
    if folder.is_dir() { files_in(&folder) } else { vec![folder.with_extension("rs")] }
}

pub(crate) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files = |path: PathBuf| if path.is_dir() { files_in(&path) } else { vec![path] };
    paths.flat_map(files).filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The lines of a text without their comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split("//").next().unwrap_or_default().trim())
}

/// The modules that a text names as `crate::NAME`. A comment may point to any, down the walk too.
fn used(text: &str) -> Vec<String> {
    let is_name = |c: &char| c.is_ascii_lowercase() || *c == '_';
    let named = code(text).flat_map(|line| line.split("crate::").skip(1));
    named.map(|rest| rest.chars().take_while(is_name).collect()).collect()
}

#[test]
fn modules_use_only_those_above_them() {
    let lib = source("lib.rs");
    let order: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ").or(line.strip_prefix("mod "))?.strip_suffix(';'))
        .collect();
    assert_eq!(order.len(), 17, "{order:?}");
    let mut imports = 0;
    for (place, module) in order.iter().enumerate() {
        for file in files(module) {
            let text = source(&file);
            for name in used(&text) {
                let found = order.iter().position(|known| *known == name);
                let found = found.unwrap_or_else(|| panic!("{}: crate::{name} is no module", file.display()));
                assert!(found <= place, "{}: {module} uses {name}, which stands below it", file.display());
                imports += 1;
            }
        }
    }
    assert!(imports > 40, "only {imports} imports were seen");
}

#[test]
fn the_core_does_not_know_python() {
    let lib = source("lib.rs");
    assert!(lib.contains("#[cfg(feature = \"python\")]\nmod python;"));
    for module in lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')) {
        for file in files(module) {
            assert!(!source(&file).contains("pyo3"), "{} names pyo3", file.display());
        }
    }
}

/// The lines of a file that say `unsafe` outside of comments.
fn unsafe_lines(file: &Path) -> Vec<String> {
    let text = source(file);
    let says_it =
        |line: &&str| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').any(|word| word == "unsafe");
    code(&text).filter(says_it).map(str::to_owned).collect()
}

#[test]
fn unsafe_stands_only_where_processors_and_c_are_met() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let met = ["rollout/backend.rs", "rollout/x86.rs", "capi/border.rs"].map(|name| root.join(name));
    let exported = "#[unsafe(no_mangle)]";
    let mut exports = 0;
    for file in files_in(&root) {
        let lines = unsafe_lines(&file);
        if met.contains(&file) {
            assert!(!lines.is_empty(), "{} needs no exception", file.display());
            continue;
        }
        let others: Vec<&String> = lines.iter().filter(|line| *line != exported).collect();
        assert!(others.is_empty(), "{}: {others:?}", file.display());
        assert!(lines.is_empty() || file.starts_with(root.join("capi")), "{} exports a function", file.display());
        exports += lines.len();
    }
    assert!(exports > 30, "only {exports} exported functions were seen");
}

/// The names of what a file makes public, and whether each has, in its documentation, an example or a link to an item.
/// What `unreachable_pub` lets be public can be reached from outside. A macro call makes what it documents.
fn documented(file: &Path) -> Vec<(String, bool)> {
    const KINDS: [&str; 7] = ["const fn ", "fn ", "struct ", "enum ", "trait ", "type ", "const "];
    let (text, mut docs, mut called, mut items) = (source(file), String::new(), false, Vec::new());
    for line in text.lines() {
        let code = line.trim_start();
        if let Some(doc) = code.strip_prefix("///") {
            docs += doc;
        } else if !code.starts_with("#[") {
            let public = line.strip_prefix("pub ");
            let item = public.and_then(|rest| KINDS.iter().find_map(|kind| rest.strip_prefix(kind)));
            if let Some(item) = item.or((called && !docs.is_empty()).then_some(code)) {
                let name = item.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                items.push((name.to_owned(), docs.contains("```") || docs.contains("[`")));
            }
            called = code.ends_with("!(");
            docs.clear();
        }
    }
    items
}

#[test]
fn whatever_is_public_has_an_example_or_leads_to_one() {
    let lib = source("lib.rs");
    let mut items = Vec::new();
    for module in lib.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')) {
        items.extend(files(module).iter().flat_map(|file| documented(file)));
    }
    let bare: Vec<&String> = items.iter().filter(|(_, shown)| !shown).map(|(name, _)| name).collect();
    assert!(bare.is_empty(), "neither an example nor a link to an item: {bare:?}");
    let seen = |name: &str| items.iter().any(|(item, _)| item == name);
    assert!(
        ["Rules", "SpaceSet", "ByTeam", "Reward", "Hidden", "rollout", "limit", "Watch", "WIN"].into_iter().all(seen)
    );
    assert!(items.len() > 110, "only {} public items were seen", items.len());
}
