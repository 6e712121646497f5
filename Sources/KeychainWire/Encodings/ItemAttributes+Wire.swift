// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// The dictionary of `AttributeCoding`, which refuses what is no attribute and what comes twice.
///
/// `AttributeList` appends unchecked and finds the first of two, so an attribute that came twice would be checked in one
/// place and stored from the other. Dates are finite there, and of the years 0 to 9999.
extension AttributeList: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> AttributeList {
        try unsafe fields.element(of: DERTag.set) { (bytes) throws(CodingError) in
            try unsafe AttributeCoding.decode(bytes)
        }
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        do throws(CodingError) { writer.element(try AttributeCoding.encode(self)) } catch { throw .unwritable }
    }
}

/// What attributes of a request may be: what the parser makes of a program's dictionary, and nothing else.
extension AttributeList {
    /// Throws `.contradiction` for an attribute that the class does not know or that has a field of its own in requests,
    /// and `.outOfRange` for a value that the attribute does not take.
    ///
    /// The engine writes what it gets: an `agrp`, `pdmn`, `sync` or `tomb` among the attributes would stand beside the
    /// ones that were decided on, and a `UUID` or `accc` beside the ones that it seals itself.
    func check(for queriedClass: QueriedClass, without excluded: Set<Attribute> = []) throws(WireError) {
        for entry in entries {
            guard entry.attribute.isKnown(to: queriedClass), !AttributeList.hasOwnField(entry.attribute),
                !excluded.contains(entry.attribute)
            else { throw .contradiction }
            guard entry.attribute.kind.takes(entry.value) else { throw .outOfRange }
        }
    }

    private static func hasOwnField(_ attribute: Attribute) -> Bool {
        switch attribute {
        case .accessible, .accessControl, .accessGroup, .synchronizable, .tombstone, .syncIdentifier: true
        default: false
        }
    }
}

/// The raw values are written out in the type: they stand in items too.
extension Accessibility: WireNumbered {
    var wireNumber: Int64 { Int64(rawValue) }
}

/// The number of the protection class; with rules, the dictionary of `AccessControlCoding`.
///
/// The engine counts the ways to meet the rules, which grow with every factor: that coding refuses rules that are too
/// deep or too wide for it, a threshold outside its parts, and digests of fingers of any size but theirs.
extension AccessControl: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> AccessControl {
        if fields.isNext(DERTag.integer) { return AccessControl(protection: try fields.next()) }
        let control = try unsafe fields.element(of: DERTag.set) { (bytes) throws(CodingError) in
            try AccessControlCoding.control(try unsafe PropertyList(decoding: bytes))
        }
        // A dictionary without rules would be a second form of the number.
        guard control.rules != nil else { throw .malformed }
        return control
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        guard rules != nil else { return try writer.write(protection) }
        do throws(CodingError) { writer.element(try AccessControlCoding.encode(self)) } catch { throw .unwritable }
    }
}

extension ProtectedOperation: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .decrypt: 1
        case .encrypt: 2
        case .sign: 3
        case .computeKey: 4
        case .decapsulate: 5
        case .attest: 6
        case .delete: 7
        case .others: 8
        }
    }
}

extension ItemClass: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .genericPassword: 1
        case .internetPassword: 2
        case .certificate: 3
        case .key: 4
        }
    }
}

extension QueriedClass: WireNumbered {
    static let numbered: [QueriedClass] = ItemClass.allCases.map { .stored($0) } + [.identity]

    var wireNumber: Int64 {
        switch self {
        case .stored(let itemClass): itemClass.wireNumber
        case .identity: 5
        }
    }
}
