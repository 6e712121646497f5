// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainSystem

/// A clock that runs with the system's until it is set, and then stands still until it is moved.
package final class SimulatedClock: Sendable {
    private let stoppedAt = ForkSafeMutex<Double?>(nil)

    package init() {}

    /// Seconds since 2001-01-01 UTC.
    package var now: Double { stoppedAt.withLock { $0 } ?? ProcessHost.systemClock() }

    package func set(_ seconds: Double) { stoppedAt.withLock { $0 = seconds } }

    package func advance(by seconds: Double) {
        stoppedAt.withLock { $0 = ($0 ?? ProcessHost.systemClock()) + seconds }
    }
}

/// A root folder for keychains that are thrown away.
package struct TemporaryRoot: Sendable {
    package let path: String
    /// The process that made the folder; a forked child that ends must not take it away.
    private let maker = getpid()

    package init() throws(KeychainError) {
        let parent = Environment.current()["TMPDIR"] ?? "/tmp"
        var template = Array((parent + "/llavero-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw KeychainError(
                .notAvailable, "the folder for a temporary keychain cannot be made", subject: parent, code: Int64(errno)
            )
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        TemporaryRoot.removeAtExit(self)
    }

    /// Removes the folder with the keychains in it.
    ///
    /// Only what a keychain consists of is touched.
    package func remove() {
        guard getpid() == maker else { return }
        TemporaryRoot.standing.withLock { _ = $0.removeValue(forKey: path) }
        let folder = KeychainFolder(root: path, name: "login")
        Workplace.remove(folder)
        unsafe unlink(folder.tally)
        unsafe rmdir(path)
    }

    /// What is not removed yet: objects in global variables never end, and their folders are to vanish all the same.
    private static let standing = ForkSafeMutex<[String: TemporaryRoot]>([:])
    private static let cleaning: Void = {
        _ = atexit {
            for root in TemporaryRoot.standing.withLock({ Array($0.values) }) { root.remove() }
        }
    }()

    private static func removeAtExit(_ root: TemporaryRoot) {
        _ = cleaning
        standing.withLock { $0[root.path] = root }
    }
}
