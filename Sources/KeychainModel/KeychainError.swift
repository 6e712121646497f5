// SPDX-License-Identifier: Apache-2.0

/// Why a request was refused or failed: the reason decides the OSStatus, the rest is for people.
package struct KeychainError: Error, Sendable {
    /// Each reason has one OSStatus, in `Security/Status`.
    package enum Reason: Sendable, Hashable, CaseIterable {
        case parameter
        case noSuchAttribute
        case noSuchClass
        case duplicateItem
        case itemNotFound
        case interactionNotAllowed
        case authenticationFailed
        /// The person refused.
        case cancelled
        case missingEntitlement
        case notAvailable
        /// A daemon has taken the keychain over since; a program that can reach it asks there.
        case handedOver
        /// The daemon that had the keychain does not run; what was asked was not done.
        case noDaemon
        case readOnly
        case noSuchKeychain
        /// It was there, and something else moved or deleted it.
        case vanishedKeychain
        case duplicateKeychain
        case unimplemented
        case undecodable
        case inputOutput
        case outOfMemory
        case internalError
    }

    package let reason: Reason
    /// What happened and what to do, in our words; never a value.
    package var text: String { relayed ?? cause.description }
    private let cause: StaticString
    /// The text of another process of ours, which keeps the same promise.
    private let relayed: String?
    /// The dictionary key or the file the failure is about, when there is one; never a value.
    package let subject: String?
    /// The number of the layer that failed (errno, SQLite's or OpenSSL's code), kept for reports.
    package let code: Int64?
    /// Seconds before which another try is pointless, when that is known.
    package let retryAfter: UInt32?

    package init(
        _ reason: Reason, _ cause: StaticString, subject: String? = nil, code: Int64? = nil,
        retryAfter: UInt32? = nil
    ) {
        self.retryAfter = retryAfter
        self.reason = reason
        self.cause = cause
        relayed = nil
        self.subject = subject
        self.code = code
    }

    /// The error that another process of ours met for us.
    package init(relaying reason: Reason, _ text: String, subject: String?, code: Int64?, retryAfter: UInt32?) {
        self.retryAfter = retryAfter
        self.reason = reason
        cause = ""
        relayed = text
        self.subject = subject
        self.code = code
    }
}

extension KeychainError: CustomStringConvertible {
    package var description: String {
        var text = ""
        if let subject { text += subject + ": " }
        text += self.text
        if let code { text += " (code \(code))" }
        if let retryAfter { text += "; try again in \(KeychainError.duration(retryAfter))" }
        return text
    }

    private static func duration(_ seconds: UInt32) -> String {
        seconds < 120 ? "\(seconds) seconds" : "\((seconds + 59) / 60) minutes"
    }
}

extension KeychainError.Reason {
    /// What messages between processes and the audit log say for it; a number once given is never given to another reason.
    package var number: Int64 {
        switch self {
        case .parameter: 1
        case .noSuchAttribute: 2
        case .noSuchClass: 3
        case .duplicateItem: 4
        case .itemNotFound: 5
        case .interactionNotAllowed: 6
        case .authenticationFailed: 7
        case .cancelled: 8
        case .missingEntitlement: 9
        case .notAvailable: 10
        case .readOnly: 11
        case .unimplemented: 12
        case .undecodable: 13
        case .inputOutput: 14
        case .outOfMemory: 15
        case .internalError: 16
        case .handedOver: 17
        case .noSuchKeychain: 18
        case .duplicateKeychain: 19
        case .noDaemon: 20
        case .vanishedKeychain: 21
        }
    }
}
