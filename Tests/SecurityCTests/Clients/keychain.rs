// SPDX-License-Identifier: Apache-2.0

//! A client by Rust's foreign functions alone, in the shape of the crates for the Mac's keychain: each object has an owner that
//! releases it, a dictionary is made of pairs, a status is an error, and a password is a slice.

use std::fmt;
use std::os::raw::{c_char, c_int, c_long, c_void};
use std::ptr::{null, null_mut};
use std::sync::mpsc::{channel, Sender};
use std::sync::Arc;
use std::thread;

type Object = *const c_void;
type Status = i32;

/// What a callback is told besides the event.
#[repr(C)]
struct CallbackInfo {
    version: u32,
    item: Object,
    keychain: Object,
    process: c_int,
}

type Callback = extern "C" fn(event: u32, info: *const CallbackInfo, context: *mut c_void) -> Status;

#[repr(C)]
struct Callbacks {
    opaque: [u8; 0],
}

#[link(name = "Foundation")]
extern "C" {
    static kCFTypeDictionaryKeyCallBacks: Callbacks;
    static kCFTypeDictionaryValueCallBacks: Callbacks;
    static kCFTypeArrayCallBacks: Callbacks;
    static kCFBooleanTrue: Object;
    fn CFRetain(object: Object) -> Object;
    fn CFRelease(object: Object);
    fn CFEqual(one: Object, other: Object) -> bool;
    fn CFHash(object: Object) -> usize;
    fn CFGetTypeID(object: Object) -> usize;
    fn CFDataGetTypeID() -> usize;
    fn CFStringGetTypeID() -> usize;
    fn CFArrayGetTypeID() -> usize;
    fn CFDictionaryGetTypeID() -> usize;
    fn CFStringCreateWithBytes(
        allocator: Object, bytes: *const u8, count: c_long, encoding: u32, external: bool,
    ) -> Object;
    fn CFStringGetCString(text: Object, buffer: *mut c_char, size: c_long, encoding: u32) -> bool;
    fn CFDataCreate(allocator: Object, bytes: *const u8, count: c_long) -> Object;
    fn CFDataGetBytePtr(data: Object) -> *const u8;
    fn CFDataGetLength(data: Object) -> c_long;
    fn CFNumberCreate(allocator: Object, kind: c_long, value: *const c_void) -> Object;
    fn CFArrayCreate(
        allocator: Object, values: *const Object, count: c_long, callbacks: *const Callbacks,
    ) -> Object;
    fn CFArrayGetCount(array: Object) -> c_long;
    fn CFArrayGetValueAtIndex(array: Object, index: c_long) -> Object;
    fn CFDictionaryCreate(
        allocator: Object, keys: *const Object, values: *const Object, count: c_long,
        key_callbacks: *const Callbacks, value_callbacks: *const Callbacks,
    ) -> Object;
    fn CFDictionaryGetValue(dictionary: Object, key: Object) -> Object;
    fn CFErrorGetCode(error: Object) -> c_long;
}

#[link(name = "Security")]
extern "C" {
    static kSecClass: Object;
    static kSecClassGenericPassword: Object;
    static kSecAttrService: Object;
    static kSecAttrAccount: Object;
    static kSecAttrComment: Object;
    static kSecAttrKeyType: Object;
    static kSecAttrKeyTypeECSECPrimeRandom: Object;
    static kSecAttrKeySizeInBits: Object;
    static kSecKeyAlgorithmECDSASignatureMessageX962SHA256: Object;
    static kSecMatchLimit: Object;
    static kSecMatchLimitAll: Object;
    static kSecMatchItemList: Object;
    static kSecReturnAttributes: Object;
    static kSecReturnData: Object;
    static kSecReturnRef: Object;
    static kSecValueData: Object;
    static kSecValueRef: Object;
    fn SecItemAdd(attributes: Object, result: *mut Object) -> Status;
    fn SecItemCopyMatching(query: Object, result: *mut Object) -> Status;
    fn SecItemUpdate(query: Object, changes: Object) -> Status;
    fn SecItemDelete(query: Object) -> Status;
    fn SecCopyErrorMessageString(status: Status, reserved: *mut c_void) -> Object;
    fn SecKeychainItemGetTypeID() -> usize;
    fn SecKeyCreateRandomKey(parameters: Object, error: *mut Object) -> Object;
    fn SecKeyCopyPublicKey(key: Object) -> Object;
    fn SecKeyGetTypeID() -> usize;
    fn SecKeyCreateSignature(key: Object, algorithm: Object, data: Object, error: *mut Object) -> Object;
    fn SecKeyVerifySignature(
        key: Object, algorithm: Object, data: Object, signature: Object, error: *mut Object,
    ) -> bool;
    fn SecKeychainAddCallback(function: Callback, mask: u32, context: *mut c_void) -> Status;
    fn SecKeychainRemoveCallback(function: Callback) -> Status;
    fn SecKeychainCopySearchList(list: *mut Object) -> Status;
    fn SecKeychainSetSearchList(list: Object) -> Status;
}

const UTF8: u32 = 0x0800_0100;
const INT: c_long = 9;
const LIST_CHANGED: u32 = 11;
const PARAM: Status = -50;
const DUPLICATE_ITEM: Status = -25299;
const ITEM_NOT_FOUND: Status = -25300;
const DUPLICATE_CALLBACK: Status = -25297;
const INVALID_CALLBACK: Status = -25298;

/// An object that is released when its owner goes.
struct Owned(Object);

// Objects of Core Foundation may be used on any thread.
unsafe impl Send for Owned {}
unsafe impl Sync for Owned {}

impl Owned {
    /// One that belongs to the caller, as what functions with Create and Copy answer; None for NULL.
    fn created(object: Object) -> Option<Owned> {
        if object.is_null() { None } else { Some(Owned(object)) }
    }

    /// One that belongs to something else.
    fn lent(object: Object) -> Option<Owned> {
        if object.is_null() { None } else { Some(Owned(unsafe { CFRetain(object) })) }
    }

    fn text(words: &str) -> Owned {
        Owned(unsafe { CFStringCreateWithBytes(null(), words.as_ptr(), words.len() as c_long, UTF8, false) })
    }

    fn data(bytes: &[u8]) -> Owned {
        Owned(unsafe { CFDataCreate(null(), bytes.as_ptr(), bytes.len() as c_long) })
    }

    fn number(value: c_int) -> Owned {
        Owned(unsafe { CFNumberCreate(null(), INT, &value as *const c_int as Object) })
    }

    fn array(objects: &[Owned]) -> Owned {
        let values: Vec<Object> = objects.iter().map(|object| object.0).collect();
        Owned(unsafe { CFArrayCreate(null(), values.as_ptr(), values.len() as c_long, &kCFTypeArrayCallBacks) })
    }

    fn dictionary(pairs: &[(Object, Object)]) -> Owned {
        let (keys, values): (Vec<Object>, Vec<Object>) = pairs.iter().copied().unzip();
        Owned(unsafe {
            CFDictionaryCreate(
                null(), keys.as_ptr(), values.as_ptr(), keys.len() as c_long, &kCFTypeDictionaryKeyCallBacks,
                &kCFTypeDictionaryValueCallBacks,
            )
        })
    }

    fn kind(&self) -> usize {
        unsafe { CFGetTypeID(self.0) }
    }

    /// The bytes of a CFData, for as long as that is there.
    fn bytes(&self) -> Option<&[u8]> {
        if self.kind() != unsafe { CFDataGetTypeID() } { return None; }
        let count = unsafe { CFDataGetLength(self.0) } as usize;
        if count == 0 { return Some(&[]); }
        Some(unsafe { std::slice::from_raw_parts(CFDataGetBytePtr(self.0), count) })
    }

    fn string(&self) -> Option<String> {
        if self.kind() != unsafe { CFStringGetTypeID() } { return None; }
        let mut buffer = [0u8; 1024];
        let copied = unsafe {
            CFStringGetCString(self.0, buffer.as_mut_ptr() as *mut c_char, buffer.len() as c_long, UTF8)
        };
        let end = buffer.iter().position(|byte| *byte == 0)?;
        if copied { String::from_utf8(buffer[..end].to_vec()).ok() } else { None }
    }

    fn items(&self) -> Option<Vec<Owned>> {
        if self.kind() != unsafe { CFArrayGetTypeID() } { return None; }
        let count = unsafe { CFArrayGetCount(self.0) };
        (0..count).map(|index| Owned::lent(unsafe { CFArrayGetValueAtIndex(self.0, index) })).collect()
    }

    fn value(&self, key: Object) -> Option<Owned> {
        if self.kind() != unsafe { CFDictionaryGetTypeID() } { return None; }
        Owned::lent(unsafe { CFDictionaryGetValue(self.0, key) })
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        unsafe { CFRelease(self.0) }
    }
}

impl Clone for Owned {
    fn clone(&self) -> Owned {
        Owned(unsafe { CFRetain(self.0) })
    }
}

impl PartialEq for Owned {
    fn eq(&self, other: &Owned) -> bool {
        unsafe { CFEqual(self.0, other.0) }
    }
}

/// What a call answered that did not succeed.
#[derive(Debug, PartialEq, Clone, Copy)]
struct Failure(Status);

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let words = Owned::created(unsafe { SecCopyErrorMessageString(self.0, null_mut()) });
        match words.and_then(|words| words.string()) {
            Some(words) => write!(formatter, "{} ({})", words, self.0),
            None => write!(formatter, "status {}", self.0),
        }
    }
}

impl std::error::Error for Failure {}

fn checked(status: Status) -> Result<(), Failure> {
    if status == 0 { Ok(()) } else { Err(Failure(status)) }
}

/// A password, and what is done with it.
struct Password {
    service: Owned,
    account: Owned,
}

impl Password {
    fn new(service: &str, account: &str) -> Password {
        Password { service: Owned::text(service), account: Owned::text(account) }
    }

    fn dictionary(&self, more: &[(Object, Object)]) -> Owned {
        let mut pairs = unsafe {
            vec![
                (kSecClass, kSecClassGenericPassword),
                (kSecAttrService, self.service.0),
                (kSecAttrAccount, self.account.0),
            ]
        };
        pairs.extend_from_slice(more);
        Owned::dictionary(&pairs)
    }

    fn add(&self, secret: &[u8]) -> Result<(), Failure> {
        let data = Owned::data(secret);
        let attributes = self.dictionary(&[(unsafe { kSecValueData }, data.0)]);
        checked(unsafe { SecItemAdd(attributes.0, null_mut()) })
    }

    fn find(&self, wish: Object) -> Result<Owned, Failure> {
        found(&self.dictionary(&[(wish, unsafe { kCFBooleanTrue })]))
    }

    fn change(&self, key: Object, value: &Owned) -> Result<(), Failure> {
        let (query, changes) = (self.dictionary(&[]), Owned::dictionary(&[(key, value.0)]));
        checked(unsafe { SecItemUpdate(query.0, changes.0) })
    }

    fn delete(&self) -> Result<(), Failure> {
        checked(unsafe { SecItemDelete(self.dictionary(&[]).0) })
    }
}

fn found(query: &Owned) -> Result<Owned, Failure> {
    let mut result: Object = null();
    checked(unsafe { SecItemCopyMatching(query.0, &mut result) })?;
    Owned::created(result).ok_or(Failure(0))
}

#[derive(Default)]
struct Tally {
    held: u32,
    failed: u32,
}

impl Tally {
    #[track_caller]
    fn expect(&mut self, condition: bool) {
        if condition {
            self.held += 1;
        } else {
            self.failed += 1;
            eprintln!("keychain.rs:{}: does not hold", std::panic::Location::caller().line());
        }
    }
}

fn passwords(tally: &mut Tally) {
    let password = Password::new("rust.example", "ådå");
    tally.expect(password.add(b"s\0same").is_ok());
    tally.expect(password.add(b"s\0same") == Err(Failure(DUPLICATE_ITEM)));
    let data = password.find(unsafe { kSecReturnData });
    tally.expect(data.as_ref().ok().and_then(|data| data.bytes()) == Some(b"s\0same"));
    tally.expect(data.map_or(false, |data| unsafe { CFHash(data.0) == CFHash(Owned::data(b"s\0same").0) }));
    tally.expect(password.change(unsafe { kSecValueData }, &Owned::data(b"")).is_ok());
    let data = password.find(unsafe { kSecReturnData });
    tally.expect(data.ok().and_then(|data| data.bytes().map(|bytes| bytes.is_empty())) == Some(true));
    tally.expect(password.change(unsafe { kSecAttrComment }, &Owned::text("changed")).is_ok());
    let attributes = password.find(unsafe { kSecReturnAttributes }).ok();
    let text = |key| attributes.as_ref().and_then(|attributes| attributes.value(key)).and_then(|text| text.string());
    tally.expect(text(unsafe { kSecAttrComment }).as_deref() == Some("changed"));
    tally.expect(text(unsafe { kSecAttrAccount }).as_deref() == Some("ådå"));
    tally.expect(password.delete().is_ok());
    tally.expect(password.delete() == Err(Failure(ITEM_NOT_FOUND)));
    tally.expect(Failure(ITEM_NOT_FOUND).to_string().len() > 15);
    tally.expect(checked(unsafe { SecItemAdd(null(), null_mut()) }) == Err(Failure(PARAM)));
    tally.expect(checked(unsafe { SecItemDelete(Owned::text("no dictionary").0) }) == Err(Failure(PARAM)));
}

fn references(tally: &mut Tally) {
    let all: Vec<Password> =
        ["one", "two", "three"].iter().map(|name| Password::new("rust.references", name)).collect();
    for password in &all { tally.expect(password.add(b"secret").is_ok()); }
    let two: Vec<Owned> =
        all[..2].iter().filter_map(|password| password.find(unsafe { kSecReturnRef }).ok()).collect();
    tally.expect(two.len() == 2);
    tally.expect(two.iter().all(|reference| reference.kind() == unsafe { SecKeychainItemGetTypeID() }));
    tally.expect(two[0] == two[0].clone() && two[0] != two[1]);
    let list = Owned::array(&two);
    let query = unsafe {
        Owned::dictionary(&[
            (kSecClass, kSecClassGenericPassword),
            (kSecMatchItemList, list.0),
            (kSecMatchLimit, kSecMatchLimitAll),
            (kSecReturnRef, kCFBooleanTrue),
            (kSecReturnAttributes, kCFBooleanTrue),
        ])
    };
    // What was given out is not needed any longer once it is in a dictionary.
    drop(two);
    drop(list);
    let items = found(&query).ok().and_then(|found| found.items()).unwrap_or_default();
    tally.expect(items.len() == 2);
    let accounts: Vec<String> = items
        .iter()
        .filter_map(|item| item.value(unsafe { kSecAttrAccount }).and_then(|text| text.string()))
        .collect();
    tally.expect(accounts.len() == 2 && accounts.iter().all(|name| name == "one" || name == "two"));
    // A reference inside of a dictionary is a query of its own.
    for item in &items {
        let reference = item.value(unsafe { kSecValueRef });
        tally.expect(reference.map_or(false, |reference| {
            checked(unsafe { SecItemDelete(Owned::dictionary(&[(kSecValueRef, reference.0)]).0) }).is_ok()
        }));
    }
    tally.expect(all[0].delete() == Err(Failure(ITEM_NOT_FOUND)) && all[2].delete().is_ok());
}

fn keys(tally: &mut Tally) {
    let size = Owned::number(256);
    let parameters = unsafe {
        Owned::dictionary(&[(kSecAttrKeyType, kSecAttrKeyTypeECSECPrimeRandom), (kSecAttrKeySizeInBits, size.0)])
    };
    let mut error: Object = null();
    let key = Owned::created(unsafe { SecKeyCreateRandomKey(parameters.0, &mut error) });
    let public = key.as_ref().and_then(|key| Owned::created(unsafe { SecKeyCopyPublicKey(key.0) }));
    tally.expect(error.is_null());
    let (key, public) = match (key, public) {
        (Some(key), Some(public)) => (key, public),
        _ => return tally.expect(false),
    };
    tally.expect(key.kind() == unsafe { SecKeyGetTypeID() } && key != public);
    let algorithm = unsafe { kSecKeyAlgorithmECDSASignatureMessageX962SHA256 };
    let message = Owned::data(b"a message");
    let sign = |key: &Owned, error| Owned::created(unsafe { SecKeyCreateSignature(key.0, algorithm, message.0, error) });
    let signature = sign(&key, null_mut());
    tally.expect(signature.map_or(false, |signature| unsafe {
        SecKeyVerifySignature(public.0, algorithm, message.0, signature.0, null_mut())
    }));
    tally.expect(sign(&public, &mut error).is_none());
    tally.expect(Owned::created(error).map_or(false, |error| unsafe { CFErrorGetCode(error.0) } != 0));
}

/// Eight threads, on items of their own and on one key.
fn threads(tally: &mut Tally) {
    let shared = Arc::new(Password::new("rust.shared", "all"));
    tally.expect(shared.add(b"shared").is_ok());
    let all: Vec<thread::JoinHandle<Result<(), Failure>>> = (0..8)
        .map(|index| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || {
                let password = Password::new("rust.threads", &format!("thread {}", index));
                for round in 0..25 {
                    let secret = format!("{} and {}", index, round);
                    password.add(secret.as_bytes())?;
                    let right = password.find(unsafe { kSecReturnData })?.bytes() == Some(secret.as_bytes());
                    let both = shared.find(unsafe { kSecReturnData })?.bytes() == Some(b"shared");
                    if !(right && both) { return Err(Failure(0)); }
                    password.delete()?;
                }
                Ok(())
            })
        })
        .collect();
    for thread in all { tally.expect(thread.join().map_or(false, |result| result.is_ok())); }
    tally.expect(shared.delete().is_ok());
}

extern "C" fn told(event: u32, info: *const CallbackInfo, context: *mut c_void) -> Status {
    let (info, sender) = unsafe { (&*info, &*(context as *const Sender<(u32, bool)>)) };
    let _ = sender.send((event, info.version == 0 && info.item.is_null()));
    0
}

/// A thread of the library's calls into Rust.
fn callbacks(tally: &mut Tally) {
    let (sender, receiver) = channel::<(u32, bool)>();
    // Never freed: that thread may still be in its call when the callback is removed.
    let context = Box::into_raw(Box::new(sender)) as *mut c_void;
    tally.expect(unsafe { SecKeychainAddCallback(told, 1 << LIST_CHANGED, context) } == 0);
    tally.expect(unsafe { SecKeychainAddCallback(told, 1 << LIST_CHANGED, context) } == DUPLICATE_CALLBACK);
    let mut list: Object = null();
    tally.expect(unsafe { SecKeychainCopySearchList(&mut list) } == 0);
    let list = Owned::created(list);
    tally.expect(list.map_or(false, |list| unsafe { SecKeychainSetSearchList(list.0) } == 0));
    tally.expect(receiver.recv() == Ok((LIST_CHANGED, true)));
    tally.expect(unsafe { SecKeychainRemoveCallback(told) } == 0);
    tally.expect(unsafe { SecKeychainRemoveCallback(told) } == INVALID_CALLBACK);
}

fn main() {
    let mut tally = Tally::default();
    passwords(&mut tally);
    references(&mut tally);
    keys(&mut tally);
    threads(&mut tally);
    callbacks(&mut tally);
    println!("{} held, {} failed", tally.held, tally.failed);
    std::process::exit(if tally.failed == 0 { 0 } else { 1 });
}
