//! `include/savanna.h` is what cbindgen makes of `src/capi`. `SAVANNA_WRITE_HEADER=1` in the environment writes it.

use std::path::Path;
use std::{env, fs};

use cbindgen::{Builder, Config};

/// The header, from the files of the module in their order.
fn header(root: &Path) -> String {
    let config = Config::from_file(root.join("cbindgen.toml")).expect("a configuration");
    let folder = root.join("src/capi");
    let list = fs::read_to_string(folder.join("mod.rs")).expect("the list of files");
    let files =
        list.lines().filter_map(|line| line.strip_prefix("mod ")?.strip_suffix(';')).filter(|&name| name != "tests");
    let builder = files.fold(Builder::new().with_config(config), |builder, name| {
        builder.with_src(folder.join(name).with_extension("rs"))
    });
    let mut made = Vec::new();
    builder.generate().expect("a header").write(&mut made);
    String::from_utf8(made).expect("UTF-8")
}

/// How many functions the files of the module export.
fn exported(root: &Path) -> usize {
    let entries = fs::read_dir(root.join("src/capi")).expect("the folder");
    let texts = entries.map(|entry| fs::read_to_string(entry.expect("an entry").path()).expect("a text"));
    texts.map(|text| text.matches("#[unsafe(no_mangle)]\npub extern \"C\" fn savanna_").count()).sum()
}

#[test]
fn the_header_is_what_the_sources_say() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (path, made) = (root.join("include/savanna.h"), header(root));
    if env::var_os("SAVANNA_WRITE_HEADER").is_some() {
        fs::write(&path, &made).expect("a file that can be written");
    }
    let kept = fs::read_to_string(&path).expect("a header");
    assert!(kept == made, "include/savanna.h is not what cbindgen makes of src/capi; see cbindgen.toml");
    let declared = made.matches("savanna_").count();
    assert!(exported(root) > 30 && declared >= exported(root), "{declared} declared, {} exported", exported(root));
}
