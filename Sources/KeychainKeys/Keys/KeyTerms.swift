// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What was laid down about the use of a key when it was made or stored (decisions D32, D40, D41).
package struct KeyTerms: Sendable, Equatable {
    /// The operations that a `kSecAttrCan…` attribute denies.
    package var denied: Set<KeyOperation> = []
    package var isExtractable = true
    package var isSensitive = false
    /// Whether its access control is one for keys of an enclave, which this one is not in.
    package var demandsEnclave = false
    /// The access control it was made with, while it is not stored.
    package var accessControl: AccessControl?

    /// The terms of a key that nothing was said about.
    package static let none = KeyTerms()

    package init() {}

    /// The terms of a stored key: what was not said when it was stored does not bind.
    ///
    /// Apple's coercion lets text stand where a truth is meant ("no"); what is no number allows nothing.
    package init(_ attributes: AttributeList, _ accessControl: AccessControl) {
        for (operation, attribute) in Self.attributes where !Self.allows(attributes[attribute]) {
            denied.insert(operation)
        }
        isExtractable = Self.allows(attributes[.isExtractable])
        isSensitive = attributes[.isSensitive].map { $0 != .number(0) } ?? false
        demandsEnclave = accessControl.isForEnclave && attributes[.tokenID] == nil
    }

    /// Whether the key's bytes stay where the key is stored, and everything is done with it there.
    package var isKept: Bool { !isExtractable || isSensitive || demandsEnclave }

    /// What of these terms means anything for a public key: everyone may have it.
    package var forPublicHalf: KeyTerms {
        var terms = KeyTerms.none
        terms.denied = denied
        return terms
    }

    /// Throws when the terms deny the operation.
    package func check(_ operation: KeyOperation) throws(KeychainError) {
        if demandsEnclave {
            throw KeychainError(
                .parameter, "the access control is for a key of the enclave, and this key is not in one",
                subject: "accc")
        }
        if denied.contains(operation) {
            throw KeychainError(
                .parameter, "the key was made without the right to do this", subject: Self.attribute(operation)?.key)
        }
    }

    /// Throws when the bytes may not leave.
    package func checkExport() throws(KeychainError) {
        try checkWrappedExport()
        guard !isSensitive else {
            throw KeychainError(.unimplemented, "the key was made as one that leaves only wrapped", subject: "sens")
        }
    }

    /// Throws when the bytes may not even leave encrypted under a password.
    package func checkWrappedExport() throws(KeychainError) {
        guard !demandsEnclave else {
            throw KeychainError(.unimplemented, "the access control is for a key that never leaves", subject: "accc")
        }
        guard isExtractable else {
            throw KeychainError(.unimplemented, "the key was made as one that is not extractable", subject: "extr")
        }
    }

    /// The attribute that denies an operation.
    package static let attributes: [(operation: KeyOperation, attribute: Attribute)] = [
        (.sign, .canSign), (.verify, .canVerify), (.encrypt, .canEncrypt), (.decrypt, .canDecrypt),
        (.keyExchange, .canDerive),
    ]

    private static func allows(_ value: AttributeValue?) -> Bool {
        switch value {
        case nil: true
        case .number(let number)?: number != 0
        case .string?, .data?, .date?: false
        }
    }

    private static func attribute(_ operation: KeyOperation) -> Attribute? {
        attributes.first { $0.operation == operation }?.attribute
    }
}
