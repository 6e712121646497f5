// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A number that the functions of `Security` end with.
struct SecurityStatus: Equatable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    /// What a process can end with of it.
    var code: Int32 { number & 0xFF }

    /// The sentence for it; nil for a number that means nothing here.
    var text: String? { SecurityStatus.texts.first { $0.number == number }?.text }

    init(_ reason: KeychainError.Reason) {
        switch reason {
        case .parameter: self.init(-50)
        case .noSuchAttribute: self.init(-25303)
        case .noSuchClass: self.init(-25306)
        case .duplicateItem: self = .duplicateItem
        case .itemNotFound: self = .itemNotFound
        case .noSuchKeychain: self = .noSuchKeychain
        case .duplicateKeychain: self = .duplicateKeychain
        case .interactionNotAllowed: self = .interactionNotAllowed
        case .authenticationFailed: self = .authenticationFailed
        case .cancelled: self.init(-128)
        case .missingEntitlement: self.init(-34018)
        case .notAvailable, .handedOver: self.init(-25291)
        case .readOnly: self.init(-25292)
        case .unimplemented: self.init(-4)
        case .undecodable: self = .undecodable
        case .inputOutput: self.init(-36)
        case .outOfMemory: self.init(-108)
        case .internalError: self.init(-26276)
        }
    }

    static let authenticationFailed = SecurityStatus(-25293)
    static let noSuchKeychain = SecurityStatus(-25294)
    static let duplicateKeychain = SecurityStatus(-25296)
    static let duplicateItem = SecurityStatus(-25299)
    static let itemNotFound = SecurityStatus(-25300)
    static let interactionNotAllowed = SecurityStatus(-25308)
    static let undecodable = SecurityStatus(-26275)
    static let parameter = SecurityStatus(-50)
}

extension SecurityStatus {
    /// The sentences: those that scripts look for as they know them, the others in our words.
    private static let texts: [(number: Int32, text: String)] = [
        (0, "No error."),
        (-4, "Function or operation not implemented."),
        (-36, "An input or output operation failed."),
        (-50, "One or more parameters passed to a function were not valid."),
        (-61, "There is no permission to write."),
        (-108, "Failed to allocate memory."),
        (-128, "User canceled the operation."),
        (-2070, "An internal component failed."),
        (-25240, "The specified access control list is not in standard (simple) form."),
        (-25243, "The specified item has no access control."),
        (-25256, "Import/Export format unsupported."),
        (-25257, "Unknown format in import."),
        (-25258, "Key material must be wrapped for export."),
        (-25259, "An attempt was made to import multiple private keys."),
        (-25260, "Passphrase is required for import/export."),
        (-25261, "The password reference was invalid."),
        (-25264, "MAC verification failed during PKCS12 import (wrong password?)."),
        (-25291, "No keychain is available."),
        (-25292, "This keychain cannot be modified."),
        (-25293, "The user name or passphrase you entered is not correct."),
        (-25294, "The specified keychain could not be found."),
        (-25295, "The specified keychain is not a valid keychain file."),
        (-25296, "A keychain with the same name already exists."),
        (-25299, "The specified item already exists in the keychain."),
        (-25300, "The specified item could not be found in the keychain."),
        (-25303, "The specified attribute does not exist."),
        (-25304, "The specified item is no longer valid. It may have been deleted from the keychain."),
        (-25306, "The specified item does not appear to be a valid keychain item."),
        (-25307, "A default keychain could not be found."),
        (-25308, "User interaction is not allowed."),
        (-25311, "This item specifies a key size which is too large or too small."),
        (-25315, "User interaction is required, but is currently not allowed."),
        (-25316, "The contents of this item cannot be retrieved."),
        (-25318, "One or more certificates required to validate this certificate cannot be found."),
        (-26275, "Unable to decode the provided data."),
        (-26276, "An internal error has occurred."),
        (-34018, "A required entitlement is not present."),
        (-67609, "The root certificate is not trusted."),
        (-67671, "The algorithm is not one that is known."),
        (-67818, "An expired certificate was detected."),
        (-67843, "The certificate is not trusted."),
    ]
}
