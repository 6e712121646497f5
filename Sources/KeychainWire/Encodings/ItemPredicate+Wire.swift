// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Checked here, because the store builds its statements and joins from it:
/// - attributes are each there once, known to the class (for an identity, to one of its halves), of a value that they
///   take, and none of those that have a field of their own;
/// - items that are named are of the class that is asked for; a token, which has none, is named alone;
/// - conditions are few, and about something that items of the class have.
///
/// Groups need no check: whatever is named, only a group of the caller's is ever looked in.
extension ItemPredicate: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            queriedClass: try fields.next(), attributes: try fields.next(), groups: try fields.next(),
            synchronizable: try fields.next(), tombstones: try fields.next(), accessibility: try fields.next(),
            restriction: try fields.next(), filters: try fields.array(atMost: WireLimits.filters))
        try attributes.check(for: queriedClass)
        for filter in filters { try filter.check(for: queriedClass) }
        if case .items(let designations) = restriction { try checkClass(of: designations) }
    }

    private func checkClass(of designations: [ItemDesignation]) throws(WireError) {
        for designation in designations {
            guard let named = designation.queriedClass else {
                guard designations.count == 1 else { throw .contradiction }
                continue
            }
            guard named == queriedClass else { throw .contradiction }
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(queriedClass)
        try writer.write(attributes)
        try writer.write(groups)
        try writer.write(synchronizable)
        try writer.write(tombstones)
        try writer.write(accessibility)
        try writer.write(restriction)
        try writer.array(filters)
    }

    /// What is changed is named without search keys, which the store's changes do not look at (semantics §3.5, §3.6).
    ///
    /// Identities that nothing names are changed as certificates and as keys, so both have to know every attribute (§3.9).
    func checkIsForChange() throws(WireError) {
        guard filters.isEmpty else { throw .contradiction }
        guard queriedClass == .identity, case .none = restriction else { return }
        try attributes.check(for: .stored(.certificate))
        try attributes.check(for: .stored(.key))
    }
}

extension ItemPredicate.GroupScope: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .everyGroupOfCaller
        case 2: self = .named(try fields.next())
        case 3: self = .unnameable
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .everyGroupOfCaller: writer.number(1)
        case .named(let name):
            writer.number(2)
            writer.string(name)
        case .unnameable: writer.number(3)
        }
    }
}

extension ItemPredicate.Synchronizable: WireNumbered {
    static let numbered: [ItemPredicate.Synchronizable] = [.only(false), .only(true), .any]

    var wireNumber: Int64 {
        switch self {
        case .only(false): 1
        case .only(true): 2
        case .any: 3
        }
    }
}

extension ItemPredicate.Restriction: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> ItemPredicate.Restriction {
        try fields.isNull() ? .none : .items(try fields.array(atMost: WireLimits.designations))
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .none: writer.null()
        case .items(let designations): try writer.array(designations)
        }
    }
}

/// Checked here: what a certificate or a key says of itself is about its own class, and is something.
///
/// The engine adds these attributes to the query's: none at all would name every item of the class.
extension ItemDesignation: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .persistent(try fields.next())
        case 2:
            let itemClass: ItemClass = try fields.next()
            self = .content(itemClass, try ItemDesignation.attributes(of: itemClass, &fields))
        case 3:
            self = .identity(
                certificate: try ItemDesignation.attributes(of: .certificate, &fields),
                key: try ItemDesignation.attributes(of: .key, &fields))
        default: throw .unknownNumber
        }
    }

    private static func attributes(
        of itemClass: ItemClass, _ fields: inout WireFields
    ) throws(WireError) -> AttributeList {
        let attributes: AttributeList = try fields.next()
        guard !attributes.isEmpty else { throw .contradiction }
        try attributes.check(for: .stored(itemClass))
        return attributes
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .persistent(let reference):
            writer.number(1)
            try writer.write(reference)
        case .content(let itemClass, let attributes):
            writer.number(2)
            try writer.write(itemClass)
            try writer.write(attributes)
        case .identity(let certificate, let key):
            writer.number(3)
            try writer.write(certificate)
            try writer.write(key)
        }
    }
}

/// All four forms, those too that are never handed out here: a program may have kept one.
extension PersistentReference: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .item(try fields.next(), try fields.next())
        case 2: self = .identity(try fields.next())
        case 3: self = .rowNumber(try fields.next())
        case 4: self = .token
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .item(let itemClass, let id):
            writer.number(1)
            try writer.write(itemClass)
            try writer.write(id)
        case .identity(let id):
            writer.number(2)
            try writer.write(id)
        case .rowNumber(let queried):
            writer.number(3)
            try writer.write(queried)
        case .token: writer.number(4)
        }
    }
}

extension PersistentID: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let (high, low) = (try fields.number(), try fields.number())
        self.init(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(bitPattern: high))
        writer.number(Int64(bitPattern: low))
    }
}
