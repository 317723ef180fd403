//! `include/savanna.h` is what cbindgen makes of the files beside this one. `SAVANNA_WRITE_HEADER=1` in the environment
//! writes it.

use std::path::{Path, PathBuf};
use std::{env, fs};

use cbindgen::{Builder, Config};

/// The files that are the interface, in the order in which `mod.rs` lists them.
fn files(root: &Path) -> Vec<PathBuf> {
    let folder = root.join("src/capi");
    let list = fs::read_to_string(folder.join("mod.rs")).expect("the list of files");
    let shipped = list.split("#[cfg(test)]").next().expect("a part");
    let names = shipped.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';'));
    names.map(|name| folder.join(name).with_extension("rs")).collect()
}

fn header(root: &Path, files: &[PathBuf]) -> String {
    let config = Config::from_file(root.join("cbindgen.toml")).expect("a configuration");
    let builder = files.iter().fold(Builder::new().with_config(config), Builder::with_src);
    let mut made = Vec::new();
    builder.generate().expect("a header").write(&mut made);
    String::from_utf8(made).expect("UTF-8")
}

/// The names of the functions that a file exports.
fn exported(file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).expect("a text");
    let functions = text.split("(no_mangle)]\npub extern \"C\" fn ").skip(1);
    functions.map(|rest| rest.split('(').next().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_header_is_what_the_sources_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (path, files) = (root.join("include/savanna.h"), files(root));
    let made = header(root, &files);
    if env::var_os("SAVANNA_WRITE_HEADER").is_some() {
        fs::write(&path, &made).expect("a file that can be written");
    }
    let kept = fs::read_to_string(&path).expect("a header");
    assert!(
        kept == made,
        "include/savanna.h is not what cbindgen makes of src/capi; CONTRIBUTING.md says how to write it"
    );
    let names: Vec<String> = files.iter().flat_map(|file| exported(file)).collect();
    assert!(names.len() > 30, "only {} exported functions were seen", names.len());
    assert!(names.iter().all(|name| made.contains(&format!("{name}("))), "{names:?}");
}
