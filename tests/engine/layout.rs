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
    assert!(order.len() >= 20, "{order:?}");
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

/// The names that a list of `use` or of `mod` has: all words but `pub`, `crate`, `self` and the like.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// What the items after each `prefix` are called, one or several in braces; tests at the end of a file may use anything.
fn named_after<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let rests = code.split(prefix).skip(1);
    let names = |rest: &'t str| match rest.strip_prefix('{') {
        Some(list) => words(list.split('}').next().unwrap_or_default()).collect::<Vec<_>>(),
        None => words(rest).take(1).collect(),
    };
    rests.flat_map(names).collect()
}

/// Inside a folder, too, a file uses only those that its `mod.rs` lists above it, be it by a name that `mod.rs` passes on.
#[test]
fn files_use_only_those_above_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut uses = 0;
    for list in files_in(&root).into_iter().filter(|file| file.ends_with("mod.rs")) {
        let (folder, text) = (list.parent().expect("a folder"), source(&list));
        let module = |line: &'_ str| {
            line.strip_prefix("pub ").unwrap_or(line).strip_prefix("mod ")?.strip_suffix(';').map(str::to_owned)
        };
        let order: Vec<String> = text.lines().filter_map(module).collect();
        let passed_on: Vec<(&str, &str)> = order
            .iter()
            .flat_map(|file| named_after(&text, &format!("use {file}::")).into_iter().map(move |name| (name, &**file)))
            .collect();
        let path = folder.strip_prefix(&root).expect("in src").to_string_lossy().replace('/', "::");
        for (place, name) in order.iter().enumerate() {
            let file = folder.join(name).with_extension("rs");
            let files = if file.exists() { vec![file] } else { files_in(&folder.join(name)) };
            for file in files {
                let text: String = code(&source(&file)).map(|line| format!("{line}\n")).collect();
                let mut used = named_after(&text, &format!("crate::{path}::"));
                if file.parent() == Some(folder) {
                    used.extend(named_after(&text, "super::"));
                }
                for item in used {
                    let from = passed_on.iter().find(|(passed, _)| *passed == item).map_or(item, |(_, from)| from);
                    if let Some(found) = order.iter().position(|known| known == from) {
                        assert!(found <= place, "{}: {name} uses {from}, which stands below it", file.display());
                        uses += 1;
                    }
                }
            }
        }
    }
    assert!(uses > 150, "only {uses} uses were seen");
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
    let x86 = ["mod", "sse2", "avx2", "avx512"].map(|name| root.join(format!("rollout/x86/{name}.rs")));
    let met = ["backend.rs", "rollout/runner.rs", "capi/border.rs"].map(|name| root.join(name));
    let met = [&x86[..], &met[..]].concat();
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
        ["Rules", "SpaceSet", "ByTeam", "Reward", "HiddenGame", "rollout", "limit", "Watch", "WIN"]
            .into_iter()
            .all(seen)
    );
    assert!(items.len() > 110, "only {} public items were seen", items.len());
}
