// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

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
