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

    /// What `llavero` ends with: the numbers that `security` has for the three failures that scripts ask about.
    var exitCode: Int32 {
        guard case .keychain(let error) = self else { return code }
        return switch error.reason {
        case .itemNotFound: 44
        case .duplicateItem: 45
        case .interactionNotAllowed: 36
        case .parameter, .noSuchAttribute, .noSuchClass, .authenticationFailed, .cancelled, .missingEntitlement,
            .notAvailable, .handedOver, .readOnly, .unimplemented, .undecodable, .inputOutput, .outOfMemory,
            .internalError:
            code
        }
    }
}
