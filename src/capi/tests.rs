//! What C cannot bring about, or only by what it may not do.

use std::collections::HashSet;
use std::ffi::{CStr, c_char};
use std::ptr;

use super::analysis::SavannaAnalysis;
use super::border::{Kind, enter, free, give, held, place};
use super::position::{SavannaPosition, savanna_position_deal, savanna_position_free};
use super::rollout::SavannaPolicy;
use super::rules::{SavannaRules, savanna_rules_parse};
use super::status::{Failure, SAVANNA_MESSAGE_SIZE, SavannaError, SavannaStatus, savanna_status_text};
use super::view::SavannaView;
use crate::position::Position;
use crate::rollout::Policy;
use crate::rules::Rules;

fn error() -> SavannaError {
    SavannaError { status: SavannaStatus::Ok, message: [b'?' as c_char; SAVANNA_MESSAGE_SIZE] }
}

fn message(error: &SavannaError) -> String {
    let bytes: Vec<u8> = error.message.iter().map(|&c| c as u8).collect();
    CStr::from_bytes_until_nul(&bytes).expect("a NUL").to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_panic_ends_at_the_border() {
    let mut error = error();
    assert_eq!(enter(&raw mut error, || panic!("a test")), SavannaStatus::Internal);
    assert_eq!(error.status, SavannaStatus::Internal);
    assert!(message(&error).contains("fault of the engine"));
    assert_eq!(enter(&raw mut error, || Ok(())), SavannaStatus::Ok);
    assert_eq!((error.status, message(&error)), (SavannaStatus::Ok, String::new()));
}

#[test]
fn long_messages_are_cut_between_letters() {
    // 251 bytes fit, so that the 126th letter of two bytes does not.
    for (text, whole) in
        [("é".repeat(400), 125), ("e".repeat(400), 251), ("e".repeat(251), 251), ("e".repeat(250), 250)]
    {
        let mut error = error();
        let status = enter(&raw mut error, || Err(Failure::new(SavannaStatus::BadText, &text)));
        assert_eq!((status, error.status), (SavannaStatus::BadText, SavannaStatus::BadText));
        let start: String = text.chars().take(whole).collect();
        assert_eq!(message(&error), start);
    }
}

#[test]
fn every_status_has_words_of_its_own() {
    let words: HashSet<&CStr> = SavannaStatus::ALL.into_iter().map(SavannaStatus::words).collect();
    assert_eq!(words.len(), 14);
    for (number, status) in (0..).zip(SavannaStatus::ALL) {
        assert_eq!(status as i32, number);
        assert_eq!(savanna_status_text(number), status.words().as_ptr());
    }
    let unknown = [-1, 14, i32::MIN, i32::MAX].map(|number| savanna_status_text(number));
    assert!(unknown.iter().all(|text| *text == unknown[0] && words.iter().all(|words| words.as_ptr() != *text)));
}

#[test]
fn policies_are_numbered_as_they_are_listed() {
    for (number, policy) in (0..).zip(Policy::ALL) {
        assert_eq!(SavannaPolicy::from(policy) as i32, number);
    }
}

#[test]
fn kinds_have_marks_of_their_own() {
    let marks = [SavannaRules::MAGIC, SavannaPosition::MAGIC, SavannaView::MAGIC, SavannaAnalysis::MAGIC];
    let all: HashSet<u64> = marks.into_iter().chain([0]).collect();
    assert_eq!(all.len(), 5);
}

#[test]
fn handles_hold_what_they_were_given_until_they_are_freed() {
    let mut rules: *mut SavannaRules = ptr::null_mut();
    let text = "3p,mice";
    assert_eq!(
        savanna_rules_parse(text.as_ptr().cast(), text.len(), &raw mut rules, ptr::null_mut()),
        SavannaStatus::Ok
    );
    let mut position: *mut SavannaPosition = ptr::null_mut();
    assert_eq!(savanna_position_deal(rules, 7, &raw mut position, ptr::null_mut()), SavannaStatus::Ok);
    let expected: Rules = text.parse().expect("rules");
    let handle = position.cast_const();
    assert!(held(&handle).is_ok_and(|held| *held == Position::deal(&expected, 7)));
    assert_eq!(savanna_position_free(&raw mut position, ptr::null_mut()), SavannaStatus::Ok);
    assert!(position.is_null());
    assert!(free(&raw mut rules).is_ok() && rules.is_null());
    assert!(free(&raw mut rules).is_ok(), "NULL has nothing to free");
}

#[test]
fn results_replace_what_a_variable_held() {
    let mut variable = ptr::dangling_mut::<SavannaRules>();
    give(place(&raw mut variable, "rules").unwrap_or_else(|_| unreachable!("a variable")), Rules::default());
    let handle = variable.cast_const();
    assert!(held(&handle).is_ok_and(|held| *held == Rules::default()));
    assert!(free(&raw mut variable).is_ok());
}
