// SPDX-License-Identifier: Apache-2.0

/// The classes of items that are stored.
package enum ItemClass: UInt8, Sendable, CaseIterable {
    case genericPassword
    case internetPassword
    case certificate
    case key

    /// The name in dictionaries, in persistent references and of the table.
    package var name: String {
        switch self {
        case .genericPassword: "genp"
        case .internetPassword: "inet"
        case .certificate: "cert"
        case .key: "keys"
        }
    }

    /// What a person calls one of them.
    package var words: String {
        switch self {
        case .genericPassword: "generic password"
        case .internetPassword: "internet password"
        case .certificate: "certificate"
        case .key: "key"
        }
    }

    package init?(name: String) {
        switch name {
        case "genp": self = .genericPassword
        case "inet": self = .internetPassword
        case "cert": self = .certificate
        case "keys": self = .key
        default: return nil
        }
    }

    package var isPassword: Bool { self == .genericPassword || self == .internetPassword }
}

/// The class a query names: a stored one, or the join of certificates and keys.
package enum QueriedClass: Sendable, Hashable {
    case stored(ItemClass)
    case identity

    package init?(name: String) {
        if name == "idnt" {
            self = .identity
        } else if let stored = ItemClass(name: name) {
            self = .stored(stored)
        } else {
            return nil
        }
    }
}
