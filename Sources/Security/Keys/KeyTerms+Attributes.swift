// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel

extension KeyTerms {
    /// The terms of a key that is not stored, as they were asked for when it was made.
    init(_ attributes: KeyAttributes) throws(KeychainError) {
        self.init()
        for (operation, attribute) in Self.attributes {
            if try attributes.boolean(attribute.key as NSString) == false { denied.insert(operation) }
        }
        isExtractable = try attributes.boolean(kSecAttrIsExtractable) ?? true
        isSensitive = try attributes.boolean(kSecAttrIsSensitive) ?? false
        guard let object = attributes.value(kSecAttrAccessControl) else { return }
        guard let control = (object as? SecAccessControl)?.control else {
            throw KeychainError(.parameter, "the access control is none", subject: "accc")
        }
        // Nobody would ask the person: what holds no stored key to its terms must not seem to.
        guard !control.isConstrained else {
            throw KeychainError(.unimplemented, "only a stored key can ask for a person first", subject: "accc")
        }
        accessControl = control
        demandsEnclave = control.isForEnclave
    }
}
