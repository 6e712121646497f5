// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// Why a subcommand failed.
enum SecurityFailure: Error {
    /// The command line is wrong; the text says why.
    case usage(String)
    /// `call` failed with a status; `why` gives details, if there are any.
    case status(SecurityStatus, call: String, why: String?)
    /// Something outside the keychain failed.
    case failure(String)
    /// A failure without a message, as requested.
    case silent(code: Int32)
    /// A failure for which a Mac has another exit code.
    indirect case ending(SecurityFailure, code: Int32)

    /// The exit code: for a status its lowest byte, as on a Mac.
    var code: Int32 {
        switch self {
        case .usage: 2
        case .status(let status, _, _): status.exitCode
        case .failure: 1
        case .ending(_, let code), .silent(let code): code
        }
    }

    /// The failure of a call with that name.
    init(_ error: KeychainError, in call: String) {
        let status = SecurityStatus(error.reason)
        // The texts of these two, which scripts look for, are complete.
        let isPlain = status == .itemNotFound || status == .duplicateItem
        self = .status(status, call: call, why: isPlain ? nil : error.description)
    }

    init(_ error: CommandError, in call: String) {
        switch error {
        case .usage(let text): self = .usage(text)
        case .ambiguous(let text), .failure(let text): self = .failure(text)
        case .keychain(let error): self.init(error, in: call)
        }
    }

    /// The failure of a call that reads or writes a file.
    init(_ failure: ExchangeFailure, in call: String) {
        let status = SecurityStatus(failure.kind)
        // The texts of these, which scripts look for, are complete.
        let why: String? =
            switch failure.kind {
            case .verification: nil
            case .passphraseRequired: "give the passphrase with -P, or with --passphrase-fd N from a descriptor"
            default: failure.error.description
            }
        self = .status(status, call: call, why: why)
    }

    static func notFound(_ call: String = CallName.search) -> SecurityFailure {
        .status(.itemNotFound, call: call, why: nil)
    }

    /// The names of the calls that a Mac's messages begin with, as far as scripts look for them.
    enum CallName {
        static let search = "SecKeychainSearchCopyNext"
        static let content = "SecKeychainItemCopyContent"
        static let modify = "SecKeychainItemModifyContent"
        static let delete = "SecKeychainItemDelete"

        /// The call that adds an item of a class; `keychain` is as the command line names it.
        static func create(_ kind: PasswordKind, in keychain: String?) -> String {
            switch kind {
            case .generic: "SecKeychainItemCreateFromContent (\(keychain ?? "<default>"))"
            case .internet: "SecKeychainAddInternetPassword \(keychain ?? "<NULL>")"
            }
        }
    }

    static func translating<Result>(
        _ call: String, _ body: () throws(CommandError) -> Result
    ) throws(SecurityFailure) -> Result {
        do throws(CommandError) { return try body() } catch { throw SecurityFailure(error, in: call) }
    }

    static func translating<Result>(
        keychain call: String, _ body: () throws(KeychainError) -> Result
    ) throws(SecurityFailure) -> Result {
        do throws(KeychainError) { return try body() } catch { throw SecurityFailure(error, in: call) }
    }

    static func translating<Result>(
        exchange call: String, _ body: () throws(ExchangeFailure) -> Result
    ) throws(SecurityFailure) -> Result {
        do throws(ExchangeFailure) { return try body() } catch { throw SecurityFailure(error, in: call) }
    }
}

extension SecurityStatus {
    /// The exit code of a process for it: the lowest byte, as on a Mac.
    var exitCode: Int32 { number & 0xFF }
}
