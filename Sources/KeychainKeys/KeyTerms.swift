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
                .parameter, "the access control requires a key of the enclave, and this key is not in it",
                subject: "accc")
        }
        if denied.contains(operation) {
            throw KeychainError(
                .parameter, "the key's attributes do not allow this operation", subject: Self.attribute(operation)?.key)
        }
    }

    /// Throws when the bytes may not leave.
    package func checkExport() throws(KeychainError) {
        try checkWrappedExport()
        guard !isSensitive else {
            throw KeychainError(
                .unimplemented, "the key is sensitive and can be exported only wrapped", subject: "sens")
        }
    }

    /// Throws when the bytes may not even leave encrypted under a password.
    package func checkWrappedExport() throws(KeychainError) {
        guard !demandsEnclave else {
            throw KeychainError(
                .unimplemented, "the access control requires a key that cannot be exported", subject: "accc")
        }
        guard isExtractable else {
            throw KeychainError(.unimplemented, "the key is not extractable", subject: "extr")
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

/// What a key can be for, as the `kSecAttrCan…` attributes have it.
package enum KeyRole: CaseIterable {
    case encrypt
    case decrypt
    case derive
    case sign
    case verify
    case signRecover
    case verifyRecover
    case wrap
    case unwrap

    package var attribute: Attribute {
        switch self {
        case .encrypt: .canEncrypt
        case .decrypt: .canDecrypt
        case .derive: .canDerive
        case .sign: .canSign
        case .verify: .canVerify
        case .signRecover: .canSignRecover
        case .verifyRecover: .canVerifyRecover
        case .wrap: .canWrap
        case .unwrap: .canUnwrap
        }
    }

    package init(_ operation: KeyOperation) {
        switch operation {
        case .sign: self = .sign
        case .verify: self = .verify
        case .encrypt: self = .encrypt
        case .decrypt: self = .decrypt
        case .keyExchange: self = .derive
        }
    }

    /// What keys of a kind are for (semantics §11.2).
    private static func roles(of type: KeyType, _ part: KeyPart) -> Set<KeyRole> {
        switch (type, part) {
        case (.rsa, .private): [.decrypt, .sign, .unwrap]
        // It decrypts: the bare operation undoes a signature.
        case (.rsa, .public): [.encrypt, .decrypt, .verify, .wrap]
        case (.ec, .private): [.decrypt, .derive, .sign, .unwrap]
        case (.ec, .public): [.encrypt, .verify, .wrap]
        case (.ed25519, .private), (.ed448, .private): [.sign]
        case (.ed25519, .public), (.ed448, .public): [.verify]
        case (.mldsa, .private): [.sign]
        case (.mldsa, .public): [.verify]
        case (.x25519, .private), (.x448, .private): [.derive]
        case (.aes, _): [.encrypt, .decrypt]
        default: []
        }
    }

    /// Says in attributes what a key is for and whether it may leave.
    package static func describe(
        _ type: KeyType, _ part: KeyPart, denied: Set<KeyOperation>, isOpen: Bool, isSensitive: Bool,
        in attributes: inout AttributeList
    ) {
        let flags: [(Attribute, Bool)] = [
            (.isPermanent, true), (.isPrivate, true), (.isModifiable, true), (.isSensitive, isSensitive),
            (.wasAlwaysSensitive, isSensitive), (.isExtractable, isOpen), (.wasNeverExtractable, !isOpen),
        ]
        for (attribute, truth) in flags { attributes.append(unchecked: attribute, .number(truth ? 1 : 0)) }
        let roles = roles(of: type, part).subtracting(denied.map(KeyRole.init))
        for role in allCases {
            attributes.append(unchecked: role.attribute, .number(roles.contains(role) ? 1 : 0))
        }
    }
}

extension CryptoKey {
    /// What tells the key from others: enough to find it, and nothing that may differ from item to item.
    package func identifyingAttributes() throws(KeyError) -> AttributeList {
        var attributes = AttributeList(reservingCapacity: 24)
        attributes.append(unchecked: .keyClass, .number(Int64(part.rawValue)))
        attributes.append(unchecked: .type, .number(Int64(type.rawValue)))
        attributes.append(unchecked: .keySizeInBits, .number(Int64(bits)))
        attributes.append(unchecked: .effectiveKeySize, .number(Int64(bits)))
        if let label = try applicationLabel() { attributes.append(unchecked: .applicationLabel, .data(label)) }
        return attributes
    }

    /// All that an item of the key says of it (semantics §11.2); `isOpen` when its bytes may leave.
    package func itemAttributes(_ terms: KeyTerms, isOpen: Bool) throws(KeyError) -> AttributeList {
        var attributes = try identifyingAttributes()
        KeyRole.describe(
            type, part, denied: terms.denied, isOpen: isOpen, isSensitive: terms.isSensitive, in: &attributes)
        return attributes
    }
}
