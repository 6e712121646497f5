// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

extension CommandError {
    /// There is no such thing.
    static func notFound(_ text: String) -> CommandError { said(.itemNotFound, text) }

    /// There is one already.
    static func duplicate(_ text: String) -> CommandError { said(.duplicateItem, text) }

    /// A person would have to do something, and there is none.
    static func needsPerson(_ text: String) -> CommandError { said(.interactionNotAllowed, text) }

    private static func said(_ reason: KeychainError.Reason, _ text: String) -> CommandError {
        .keychain(KeychainError(relaying: reason, text, subject: nil, code: nil, retryAfter: nil))
    }

    /// What `llavero` says of a verb; whoever was not understood is led to its help.
    func sentence(_ verb: String) -> String {
        guard case .usage(let text) = self, VerbTable.verb(verb) != nil else { return description }
        return "\(text); `llavero help \(verb)` explains it"
    }

    /// What `llavero` ends with: the numbers that `security` has for the three failures that scripts ask about.
    var exitCode: Int32 {
        guard case .keychain(let error) = self else { return code }
        if error.reason == .itemNotFound || error.reason == .noSuchKeychain { return 44 }
        if error.reason == .duplicateItem || error.reason == .duplicateKeychain { return 45 }
        return error.reason == .interactionNotAllowed ? 36 : code
    }
}
