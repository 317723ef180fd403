//! The border to C: what pointers hold is read and written, and functions of C are called, here and nowhere else.
//!
//! A pointer that is used here came as an argument from C, since only the exported functions beside this file use it
//! and nothing in Rust calls them. What C promises is written at the head of `include/savanna.h`, and is the reason
//! given for every block below: a pointer that is neither NULL nor misaligned points to as much memory as its function
//! says, and a watcher is a function that comes back by returning.

use std::ffi::{c_char, c_void};
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;

use super::status::{Failure, SAVANNA_MESSAGE_SIZE, SavannaError, SavannaStatus};

#[cfg(not(panic = "unwind"))]
compile_error!("the C interface needs panic = \"unwind\": it turns what panics into a status at the border");

/// The longest text that is read; the longest that is written is not a tenth of it.
const MAX_TEXT: usize = 4096;

/// A kind of handle. The type itself is what C knows by name only: no value of it exists.
pub(super) trait Kind {
    /// What a handle of this kind holds; many threads may read it at once.
    type Value: Send + Sync;
    /// What a handle of this kind is called in messages.
    const NAME: &'static str;
    /// What its memory begins with.
    const MAGIC: u64;
}

/// What a handle points to.
#[repr(C)]
struct Handle<T> {
    magic: u64,
    value: T,
}

/// A place in the memory of the caller, neither NULL nor misaligned.
pub(super) struct Place<'a, T> {
    pointer: *mut T,
    lifetime: PhantomData<&'a mut T>,
}

impl<T> Place<'_, T> {
    /// Writes the value; what was there is not dropped, since it may be anything.
    pub(super) fn put(self, value: T) {
        // SAFETY: the pointer was checked, and C promises the memory behind it.
        unsafe { self.pointer.write(value) }
    }
}

/// Runs the body of an exported function: reports how it went, and lets no panic out.
pub(super) fn enter(error: *mut SavannaError, body: impl FnOnce() -> Result<(), Failure>) -> SavannaStatus {
    if !error.is_null() && !error.is_aligned() {
        return SavannaStatus::MisalignedPointer;
    }
    // The body writes only when it is sure of the result, so that what a panic leaves behind is whole.
    let fault = || Failure::new(SavannaStatus::Internal, "a fault of the engine; please report what led to it");
    let result = catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| Err(fault()));
    let (status, message) = match &result {
        Ok(()) => (SavannaStatus::Ok, ""),
        Err(failure) => (failure.status, failure.message.as_str()),
    };
    if !error.is_null() {
        let most = message.len().min(SAVANNA_MESSAGE_SIZE - 1);
        let end = (0..=most).rev().find(|&end| message.is_char_boundary(end));
        report(error, status, &message[..end.unwrap_or(0)]);
    }
    status
}

fn report(error: *mut SavannaError, status: SavannaStatus, message: &str) {
    // SAFETY: the pointer was checked, and C promises the memory behind it; the message is shorter than its place.
    unsafe {
        (&raw mut (*error).status).write(status);
        let place = (&raw mut (*error).message).cast::<u8>();
        ptr::copy_nonoverlapping(message.as_ptr(), place, message.len());
        place.add(message.len()).write(0);
    }
}

fn check<T>(pointer: *const T, what: &str) -> Result<(), Failure> {
    if pointer.is_null() {
        Err(Failure::new(SavannaStatus::NullPointer, format!("{what} is NULL")))
    } else if !pointer.is_aligned() {
        let (align, at) = (align_of::<T>(), pointer.addr());
        let message = format!("{what} must be aligned to {align} bytes, got {at:#x}");
        Err(Failure::new(SavannaStatus::MisalignedPointer, message))
    } else {
        Ok(())
    }
}

/// The size that C gives for a struct must be ours.
fn check_size<T>(size: usize, what: &str) -> Result<(), Failure> {
    let ours = size_of::<T>();
    let wrong = || Failure::new(SavannaStatus::BadSize, format!("the size of {what} must be {ours}, got {size}"));
    if size == ours { Ok(()) } else { Err(wrong()) }
}

/// Where a result shall be written.
pub(super) fn place<'a, T>(pointer: *mut T, what: &str) -> Result<Place<'a, T>, Failure> {
    check(pointer, what)?;
    Ok(Place { pointer, lifetime: PhantomData })
}

/// Where a struct of this size shall be written.
pub(super) fn sized_place<'a, T>(pointer: *mut T, size: usize, what: &str) -> Result<Place<'a, T>, Failure> {
    let place = place(pointer, what)?;
    check_size::<T>(size, what)?;
    Ok(place)
}

/// A copy of a struct of this size.
pub(super) fn read<T: Plain>(pointer: *const T, size: usize, what: &str) -> Result<T, Failure> {
    check(pointer, what)?;
    check_size::<T>(size, what)?;
    // SAFETY: the pointer was checked, C promises `size` bytes behind it, and any bytes are a value of a plain type.
    Ok(unsafe { pointer.read() })
}

/// A struct of numbers and addresses: any bytes are a value of it.
pub(super) trait Plain: Copy {}

/// A function of the caller's that watches a long call, or NULL. It is called a few times a second, on the thread that
/// made the call, with the `context` that was given beside it and with how much is done so far, which is never less than
/// before; a call that is done at once is not watched at all. It returns 0 to let the call go on. Anything else stops it
/// within moments: it fails with STOPPED and does not call the watcher again. A watcher may call this library, but free
/// nothing that the call uses. It has to return: neither longjmp nor an exception of C++ may leave it.
pub type SavannaWatch = Option<unsafe extern "C" fn(context: *mut c_void, done: u64) -> i32>;

/// Tells the watcher of a call, if it has one, how much is done.
pub(super) fn tell(watch: SavannaWatch, context: *mut c_void, done: u64) -> ControlFlow<()> {
    let Some(watch) = watch else { return ControlFlow::Continue(()) };
    // SAFETY: C promises that it is such a function, made for this context, and that it comes back by returning.
    let answer = unsafe { watch(context, done) };
    if answer == 0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
}

/// The text of `length` bytes.
pub(super) fn text<'a>(pointer: *const c_char, length: usize, what: &str) -> Result<&'a str, Failure> {
    check(pointer, what)?;
    if length > MAX_TEXT {
        let message = format!("{what} may have at most {MAX_TEXT} bytes, got {length}");
        return Err(Failure::new(SavannaStatus::BadText, message));
    }
    // SAFETY: the pointer was checked, and C promises `length` bytes behind it during the call.
    let bytes = unsafe { slice::from_raw_parts(pointer.cast::<u8>(), length) };
    std::str::from_utf8(bytes).map_err(|error| Failure::new(SavannaStatus::BadText, format!("{what}: {error}")))
}

/// Writes a list into the caller's buffer, and its length into `count` also if the buffer is too small for it. Without
/// any buffer, only the length is asked for.
pub(super) fn give_list<T: Copy>(
    values: &[T],
    (buffer, capacity, what): (*mut T, usize, &str),
    count: *mut usize,
) -> Result<(), Failure> {
    let count = place(count, "count")?;
    let only_count = buffer.is_null() && capacity == 0;
    if !only_count {
        check(buffer, what)?;
    }
    count.put(values.len());
    if only_count {
        return Ok(());
    }
    if capacity < values.len() {
        let message = format!("{what} has room for {capacity}, but {} are needed", values.len());
        return Err(Failure::new(SavannaStatus::TooSmall, message));
    }
    // SAFETY: the buffer was checked, C promises room for `capacity` values, which are enough, and ours lie elsewhere.
    unsafe { ptr::copy_nonoverlapping(values.as_ptr(), buffer, values.len()) }
    Ok(())
}

/// As [`give_list`] for structs of this size.
pub(super) fn give_structs<T: Copy>(
    values: &[T],
    (buffer, capacity, size, what): (*mut T, usize, usize, &str),
    count: *mut usize,
) -> Result<(), Failure> {
    check_size::<T>(size, what)?;
    give_list(values, (buffer, capacity, what), count)
}

/// Writes a text and a NUL as [`give_list`] does; the NUL is counted.
pub(super) fn give_text(
    text: &str,
    (buffer, capacity): (*mut c_char, usize),
    count: *mut usize,
) -> Result<(), Failure> {
    let bytes: Vec<u8> = text.bytes().chain([0]).collect();
    give_list(&bytes, (buffer.cast(), capacity, "buffer"), count)
}

/// Writes a new handle of this value.
pub(super) fn give<K: Kind>(place: Place<'_, *mut K>, value: K::Value) {
    place.put(Box::into_raw(Box::new(Handle { magic: K::MAGIC, value })).cast());
}

/// The memory of a handle, which begins with what it should.
fn found<K: Kind>(handle: *const K) -> Result<*mut Handle<K::Value>, Failure> {
    let pointer = handle.cast::<Handle<K::Value>>().cast_mut();
    check(pointer, K::NAME)?;
    // SAFETY: the pointer was checked, and C promises that a handle is one of ours, which all begin with eight bytes.
    let magic = unsafe { (&raw const (*pointer).magic).read_volatile() };
    let bad =
        || Failure::new(SavannaStatus::BadHandle, format!("{0} is not a handle of a {0}, or has been freed", K::NAME));
    if magic == K::MAGIC { Ok(pointer) } else { Err(bad()) }
}

/// What a handle holds, for as long as the argument lives that the handle was.
pub(super) fn held<K: Kind>(handle: &*const K) -> Result<&K::Value, Failure> {
    let pointer = found(*handle)?;
    // SAFETY: it begins as a handle of this kind does, and C promises not to free it during the call.
    Ok(unsafe { &(*pointer).value })
}

/// Frees the handle in a variable, which becomes NULL. A variable that holds NULL has nothing to free.
pub(super) fn free<K: Kind>(variable: *mut *mut K) -> Result<(), Failure> {
    check(variable, "the variable of the handle")?;
    // SAFETY: the pointer was checked, and C promises that a handle or NULL is behind it.
    let handle = unsafe { variable.read() };
    if handle.is_null() {
        return Ok(());
    }
    let pointer = found(handle)?;
    // SAFETY: `give` made it from a box, and what it begins with says that it has not been freed. The write is volatile,
    // or it would be left out as one that nobody can read.
    unsafe {
        (&raw mut (*pointer).magic).write_volatile(0);
        drop(Box::from_raw(pointer));
        variable.write(ptr::null_mut());
    }
    Ok(())
}
