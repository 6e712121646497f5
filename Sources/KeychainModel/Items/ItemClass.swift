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

/// The attributes by which an item of a class is unique, with the values that stand for "not given" (semantics §2.3,
/// 2.4).
///
/// The defaults are real values: they are returned like any other.
package enum ItemIdentity {
    package struct Part: Sendable {
        package let attribute: Attribute
        package let absent: AttributeValue
    }

    private static let genericPassword = [Part(.account, .emptyString), Part(.service, .emptyString)]
    private static let internetPassword = [
        Part(.account, .emptyString), Part(.server, .emptyString), Part(.securityDomain, .emptyString),
        Part(.protocol, .number(0)), Part(.authenticationType, .emptyString), Part(.port, .number(0)),
        Part(.path, .emptyString),
    ]
    private static let certificate = [
        Part(.issuer, .emptyData), Part(.serialNumber, .emptyData), Part(.certificateType, .number(0)),
    ]
    private static let key = [
        Part(.applicationLabel, .emptyData), Part(.applicationTag, .emptyString), Part(.keyClass, .number(0)),
        Part(.creator, .number(0)), Part(.type, .number(0)), Part(.keySizeInBits, .number(0)),
        Part(.effectiveKeySize, .number(0)), Part(.startDate, .date(0)), Part(.endDate, .date(0)),
    ]

    /// The parts of one class's unique key, in the order of its index; `agrp sync vwht tkid musr ggrp` follow them.
    package static func parts(of itemClass: ItemClass) -> [Part] {
        switch itemClass {
        case .genericPassword: genericPassword
        case .internetPassword: internetPassword
        case .certificate: certificate
        case .key: key
        }
    }
}

extension ItemIdentity.Part {
    fileprivate init(_ attribute: Attribute, _ absent: AttributeValue) {
        self.attribute = attribute
        self.absent = absent
    }
}
