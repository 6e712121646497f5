// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A library that may or may not be installed.
struct DynamicLibrary {
    private let handle: UnsafeMutableRawPointer

    /// Opens the first of these that there is.
    ///
    /// Its own symbols come first for it: it may define names that are already taken in this process.
    init?(_ names: [String]) {
        guard let handle = names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL | Int32(RTLD_DEEPBIND)) }).first
        else { return nil }
        self.handle = handle
    }

    func address(_ name: String) throws(WrongResult) -> UnsafeMutableRawPointer {
        guard let address = dlsym(handle, name) else { throw WrongResult("the library has no \(name)") }
        return address
    }

    /// A function; `type` must be its C type.
    func function<Function>(_ name: String, unsafelyAs type: Function.Type) throws(WrongResult) -> Function {
        unsafeBitCast(try address(name), to: type)
    }
}
