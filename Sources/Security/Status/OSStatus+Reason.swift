// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The one table from reasons to Apple's numbers.
extension OSStatus {
    init(_ reason: KeychainError.Reason) {
        switch reason {
        case .parameter: self = errSecParam
        case .noSuchAttribute: self = errSecNoSuchAttr
        case .noSuchClass: self = errSecNoSuchClass
        case .duplicateItem: self = errSecDuplicateItem
        case .itemNotFound: self = errSecItemNotFound
        case .interactionNotAllowed: self = errSecInteractionNotAllowed
        case .authenticationFailed: self = errSecAuthFailed
        case .cancelled: self = errSecUserCanceled
        case .missingEntitlement: self = errSecMissingEntitlement
        case .notAvailable, .handedOver: self = errSecNotAvailable
        case .readOnly: self = errSecReadOnly
        case .noSuchKeychain: self = errSecNoSuchKeychain
        case .duplicateKeychain: self = errSecDuplicateKeychain
        case .unimplemented: self = errSecUnimplemented
        case .undecodable: self = errSecDecode
        case .inputOutput: self = errSecIO
        case .outOfMemory: self = errSecAllocate
        case .internalError: self = errSecInternal
        }
    }
}
