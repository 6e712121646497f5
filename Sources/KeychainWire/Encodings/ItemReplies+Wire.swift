// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Checked here: the halves of an identity are a certificate and a key.
extension Found: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .item(try fields.next())
        case 2:
            let (certificate, key): (FoundItem, FoundItem) = (try fields.next(), try fields.next())
            guard certificate.itemClass == .certificate, key.itemClass == .key else { throw .contradiction }
            self = .identity(certificate: certificate, key: key)
        case 3: self = .damaged(try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .item(let item):
            writer.number(1)
            try writer.write(item)
        case .identity(let certificate, let key):
            writer.number(2)
            try writer.write(certificate)
            try writer.write(key)
        case .damaged(let item):
            writer.number(3)
            try writer.write(item)
        }
    }
}

extension MatchPage: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(found: try fields.array(atMost: WireLimits.results), next: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        guard found.count <= WireLimits.results else { throw .tooLarge }
        try writer.array(found)
        try writer.write(next)
    }
}

/// Checked here: what is left of an item is of its class, and without a secret.
extension DamagedItem: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(itemClass: try fields.next(), persistentID: try fields.next(), rest: try fields.next())
        guard rest.map({ $0.itemClass == itemClass && $0.secret == nil && $0.keptKey == nil }) ?? true else {
            throw .contradiction
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(itemClass)
        try writer.write(persistentID)
        try writer.write(rest)
    }
}

/// Attributes of a reply are what is stored, whatever software stored it: each is there once, and no more is asked.
extension FoundItem: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            itemClass: try fields.next(), persistentID: try fields.next(), attributes: try fields.next(),
            accessControl: try fields.next(), secret: try fields.next(), keptKey: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(itemClass)
        try writer.write(persistentID)
        try writer.write(attributes)
        try writer.write(accessControl)
        try writer.write(secret)
        try writer.write(keptKey)
    }
}

extension KeptKey: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let publicKey: [UInt8]? = try fields.next()
        guard (publicKey?.count ?? 0) <= WireLimits.publicKey else { throw .outOfRange }
        self.init(publicKey: publicKey, bits: Int(try fields.number(in: 0...Int64(Int32.max))))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(publicKey)
        writer.number(Int64(bits))
    }
}

extension KeychainChanges: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let events: [ItemEvent] = try fields.array(atMost: WireLimits.results)
        guard events.allSatisfy(\.isChange) else { throw .contradiction }
        self.init(events, isIncomplete: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        guard events.allSatisfy(\.isChange) else { throw .unwritable }
        try writer.array(events)
        try writer.write(isIncomplete)
    }
}

extension ItemEvent: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let kind: Kind = try fields.next()
        let itemClass: ItemClass = try fields.next()
        self.init(kind, itemClass, group: try fields.next(), try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(kind)
        try writer.write(itemClass)
        try writer.write(group)
        try writer.write(id)
    }
}

extension ItemEvent.Kind: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .found: 1
        case .added: 2
        case .updated: 3
        case .deleted: 4
        case .used: 5
        }
    }
}
