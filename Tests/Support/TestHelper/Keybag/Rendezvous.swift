// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The pipes of a test, in a folder: `ready`, where we say that we have come to a point, and others where we wait.
struct Rendezvous {
    let folder: String

    /// Says that we are here, and waits until we may go on.
    func meet() -> Bool { say() && wait("go") }

    func say() -> Bool {
        let file = open("\(folder)/ready", O_WRONLY | O_CLOEXEC)
        defer { close(file) }
        var byte: UInt8 = 0
        return write(file, &byte, 1) == 1
    }

    /// Waits for one byte.
    func wait(_ name: String) -> Bool {
        let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var byte: UInt8 = 0
        return read(file, &byte, 1) == 1
    }
}
