// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainSystem

/// What this keychain offers beyond Apple's interface.
public enum Llavero {
    /// Why this thread's last failing call failed: a cause, what to do, and never a value; nil before the first failure.
    public static var lastFailure: String? { LastFailure.text }

    /// Declares what this program is, instead of a property list beside its file; it counts from the next call on.
    public static func declare(_ entitlements: Entitlements) { ProcessHost.declare(entitlements.program) }

    /// The folder of the keychain this process uses; nil for one in memory.
    public static func folder() throws -> String? {
        try LlaveroError.translating { () throws(KeychainError) in try ProcessHost.host().folder }
    }

    /// Forbids core dumps of this process, and debuggers of the same user, from now on: for programs, not for libraries.
    public static func forbidCoreDumps() throws {
        try LlaveroError.translating { () throws(KeychainError) in try Hardening.forbidCoreDumps() }
    }

    /// Examines the keychain this process uses; what comes back is what is wrong with it.
    public static func check() throws -> [String] {
        try LlaveroError.translating { () throws(KeychainError) in
            try ForkGate.operation { () throws(KeychainError) in try ProcessHost.host().check() }
        }
    }

    /// Who a daemon takes this program for: how well it is known ("none", "image by path", …), and why in a sentence.
    ///
    /// nil while no daemon has the keychain: then programs of one user are not told apart.
    public static func identity() throws -> (level: String, explanation: String)? {
        let texts = try LlaveroError.translating { () throws(KeychainError) in
            try ProcessHost.host().introduction()
        }
        guard let texts, texts.count == 2 else { return nil }
        return (texts[0], texts[1])
    }
}

/// A failure of one of our own functions: Apple's status for it, and an explanation.
public struct LlaveroError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The status a SecItem function would have returned.
    public let status: OSStatus
    /// What happened and what to do; never a value.
    public let description: String
    /// Seconds before which another try is pointless, when that is known.
    public let retryAfter: Int?

    init(_ error: KeychainError) {
        status = OSStatus(error.reason)
        description = error.description
        retryAfter = error.retryAfter.map(Int.init)
    }

    /// Runs a part of the keychain for one of our own functions, which throw this error.
    static func translating<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(LlaveroError) -> Result {
        do throws(KeychainError) { return try body() } catch { throw LlaveroError(error) }
    }
}
