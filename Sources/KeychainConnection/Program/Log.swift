// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel
internal import KeychainSystem

/// What is said to the person who runs the program: one line each on standard error, never a value.
package enum Log {
    /// Whether every failure is to be told (`LLAVERO_LOG`).
    private static let tellsFailures = Environment.current()["LLAVERO_LOG"] != nil

    package static func write(_ text: String) {
        let line = Array("llavero: \(text)\n".utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, line, line.count)
    }

    /// The greatest number of damaged rows told of so far.
    private static let told = ForkSafeMutex(0)

    /// Tells, once for each greater number, that an operation passed over rows it could not read.
    static func damagedRows(_ count: Int) {
        let isNews = told.withLock { told in
            guard count > told else { return false }
            told = count
            return true
        }
        if isNews {
            write(
                count == 1
                    ? "one item cannot be read and was not changed; `llavero check` says why"
                    : "\(count) items cannot be read and were not changed; `llavero check` says why"
            )
        }
    }

    /// Tells that a part of a keychain's database cannot be read.
    static func damage(of place: Place) {
        write(
            "the keychain \(place.path ?? "in memory"): a part of its database is damaged; `llavero check` lists all damage, `llavero repair` saves what is intact"
        )
    }

    /// Tells of something that a call did and its caller may not expect, when that was asked for.
    package static func remark(on call: StaticString, _ text: StaticString) {
        if tellsFailures { write("\(call): \(text)") }
    }

    /// Tells of a failed call when that was asked for.
    package static func failure(of call: StaticString, _ error: KeychainError) {
        if tellsFailures { write("\(call): \(error)") }
    }
}
