// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainKeys
internal import KeychainModel

/// What was laid down about the use of a key when it was made (decisions D32, D40, D41).
struct KeyTerms: Sendable, Equatable {
    /// The operations that a `kSecAttrCan…` attribute denies.
    var denied: Set<KeyOperation> = []
    var isExtractable = true
    var isSensitive = false
    /// Whether its access control is one for keys of an enclave, which this one is not in.
    var demandsEnclave = false

    /// The terms of a key that nothing was said about.
    static let none = KeyTerms()

    init() {}

    init(_ attributes: KeyAttributes) throws(KeychainError) {
        for (operation, name) in Self.names where try attributes.boolean(name) == false {
            denied.insert(operation)
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
        if case .flags(let flags) = control.operations { demandsEnclave = flags.contains(.privateKeyUsage) }
    }

    /// Throws when the terms deny the operation.
    func check(_ operation: KeyOperation) throws(KeychainError) {
        if demandsEnclave {
            throw KeychainError(
                .parameter, "the access control is for a key of the enclave, and this key is not in one",
                subject: "accc")
        }
        if denied.contains(operation) {
            throw KeychainError(.parameter, "the key was made without the right to do this", subject: name(operation))
        }
    }

    /// Throws when the private half may not leave.
    func checkExport() throws(KeychainError) {
        guard isExtractable else {
            throw KeychainError(.unimplemented, "the key was made as one that is not extractable", subject: "extr")
        }
        guard !isSensitive else {
            throw KeychainError(.unimplemented, "the key was made as one that leaves only wrapped", subject: "sens")
        }
    }

    private func name(_ operation: KeyOperation) -> String? {
        Self.names.first { $0.0 == operation }.map { $0.1 as String }
    }

    private static var names: [(KeyOperation, CFString)] {
        [
            (.sign, kSecAttrCanSign), (.verify, kSecAttrCanVerify), (.encrypt, kSecAttrCanEncrypt),
            (.decrypt, kSecAttrCanDecrypt), (.keyExchange, kSecAttrCanDerive),
        ]
    }
}

extension KeyTerms {
    /// What of these terms means anything for a public key: everyone may have it.
    var forPublicHalf: KeyTerms {
        var terms = KeyTerms.none
        terms.denied = denied
        return terms
    }
}
