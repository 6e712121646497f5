// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// The one table from reasons to Apple's numbers.
extension SecurityStatus {
    package init(_ reason: KeychainError.Reason) {
        switch reason {
        case .parameter: self = .parameter
        case .noSuchAttribute: self = .noSuchAttribute
        case .noSuchClass: self = .noSuchClass
        case .duplicateItem: self = .duplicateItem
        case .itemNotFound: self = .itemNotFound
        case .interactionNotAllowed: self = .interactionNotAllowed
        case .authenticationFailed: self = .authenticationFailed
        case .cancelled: self = .cancelled
        case .missingEntitlement: self = .missingEntitlement
        case .notAvailable, .handedOver, .noDaemon: self = .notAvailable
        case .readOnly: self = .readOnly
        case .noSuchKeychain: self = .noSuchKeychain
        case .duplicateKeychain: self = .duplicateKeychain
        case .unimplemented: self = .unimplemented
        case .undecodable: self = .undecodable
        case .inputOutput: self = .inputOutput
        case .outOfMemory: self = .outOfMemory
        case .internalError: self = .internalError
        }
    }
}
