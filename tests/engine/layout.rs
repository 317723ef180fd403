//! The rule of the walk: a module uses only modules that `lib.rs` lists above it.

use std::fs;
use std::path::{Path, PathBuf};

fn source(path: impl AsRef<Path>) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files of a module: one of its name, or all in the folder of its name and the folders in it.
fn files(module: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(module);
    if folder.is_dir() { files_in(&folder) } else { vec![folder.with_extension("rs")] }
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files = |path: PathBuf| if path.is_dir() { files_in(&path) } else { vec![path] };
    paths.flat_map(files).filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// The modules that a text names as `crate::NAME`.
fn used(text: &str) -> Vec<String> {
    let is_name = |c: &char| c.is_ascii_lowercase() || *c == '_';
    text.split("crate::").skip(1).map(|rest| rest.chars().take_while(is_name).collect()).collect()
}

#[test]
fn modules_use_only_those_above_them() {
    let lib = source("lib.rs");
    let order: Vec<&str> = lib
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ").or(line.strip_prefix("mod "))?.strip_suffix(';'))
        .collect();
    assert_eq!(order.len(), 16, "{order:?}");
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
