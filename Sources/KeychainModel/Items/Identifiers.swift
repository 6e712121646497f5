// SPDX-License-Identifier: Apache-2.0

/// The 16 bytes by which an item is found for as long as it lives.
package struct PersistentID: Sendable, Hashable {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        for index in 0..<8 {
            high = high << 8 | UInt64(bytes[index])
            low = low << 8 | UInt64(bytes[index + 8])
        }
        self.init(high: high, low: low)
    }

    package var bytes: [UInt8] {
        (0..<16).map { index in
            UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(56 - 8 * (index % 8)))
        }
    }
}

/// What `kSecValuePersistentRef` carries, in its three forms.
package enum PersistentReference: Sendable, Hashable {
    case item(ItemClass, PersistentID)
    case identity(PersistentID)
    /// The older form by row number. We never issued one, and row numbers are reused, so it finds nothing.
    case rowNumber(QueriedClass)
    /// An item on a hardware token, which is not supported here.
    case token

    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        let name = String(decoding: bytes[0..<4], as: UTF8.self)
        if name == "tkpr", bytes.count > 4 {
            self = .token
            return
        }
        guard let queried = QueriedClass(name: name) else { return nil }
        switch bytes.count {
        case 12: self = .rowNumber(queried)
        case 20:
            guard let id = PersistentID(Array(bytes[4...])) else { return nil }
            switch queried {
            case .stored(let itemClass): self = .item(itemClass, id)
            case .identity: self = .identity(id)
            }
        default: return nil
        }
    }

    /// The class the reference names; tokens keep theirs inside.
    package var queriedClass: QueriedClass? {
        switch self {
        case .item(let itemClass, _): .stored(itemClass)
        case .identity: .identity
        case .rowNumber(let queried): queried
        case .token: nil
        }
    }

    /// The bytes handed to callers; empty for the forms that are never handed out here.
    package var bytes: [UInt8] {
        switch self {
        case .item(let itemClass, let id): Array(itemClass.name.utf8) + id.bytes
        case .identity(let id): Array("idnt".utf8) + id.bytes
        case .rowNumber, .token: []
        }
    }
}

/// The 16 random bytes that tell one keychain from every other; everything sealed in it is bound to them.
package struct KeychainUUID: Sendable, Hashable {
    package let bytes: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }
}
