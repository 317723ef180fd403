//! Versions, to be asked before anything else.

use std::ffi::{CStr, c_char};

use crate::rules::RULES_VERSION;

/// The version of this interface: it rises whenever a program must be compiled anew.
pub const SAVANNA_ABI_VERSION: u32 = 1;

const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no NUL"),
};

/// The version of the library, such as "1.2.3", with static lifetime.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_version() -> *const c_char {
    VERSION.as_ptr()
}

/// The SAVANNA_ABI_VERSION that the library was built with, to be compared with that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_abi_version() -> u32 {
    SAVANNA_ABI_VERSION
}

/// The version of the rules as implemented; it rises when any game would be scored differently.
#[unsafe(no_mangle)]
pub extern "C" fn savanna_rules_version() -> u32 {
    RULES_VERSION
}
