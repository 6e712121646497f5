// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainModel

/// The JSON of `llavero export`: an object with a version and a list of items, one a line.
///
/// Damage affects only its line or item; an item with unknown members is left out.
internal enum LlaveroExport {
    private typealias Cursor = JSONCursor<ImportedBytes>

    /// Whether it begins like an export of any version.
    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        var cursor = JSONCursor(bytes)
        return version(&cursor) != nil
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, into report: inout ImportReport
    ) throws(ImportError) {
        var cursor = JSONCursor(bytes)
        guard let version = version(&cursor) else { throw .notThisFormat }
        guard version == ExportNames.version else { throw .unknownVersion }
        do throws(CodingError) { try expectItems(&cursor) } catch { throw .damaged }
        var number = 0
        while !isEnd(cursor) {
            number += 1
            let (place, start) = (SourceLocation(file, item: number), cursor)
            if passItem(&cursor) {
                try add(start, place, &report)
                continue
            }
            guard let next = nextLine(after: start) else { return try report.skip(place, "", .brokenOff) }
            try report.skip(place, "", .damaged)
            cursor = next
        }
    }

    /// Skips an item, and the comma after it if there is one; false if it is not an item.
    private static func passItem(_ cursor: inout Cursor) -> Bool {
        do throws(CodingError) {
            cursor.skipSpace()
            guard cursor.peek == UInt8(ascii: "{") else { return false }
            try cursor.passOver(depth: 1)
        } catch { return false }
        cursor.skipSpace()
        return cursor.skip(",") || cursor.peek == ASCII.closeBracket
    }

    /// Whether the list and the file end here.
    private static func isEnd(_ cursor: Cursor) -> Bool {
        var cursor = cursor
        cursor.skipSpace()
        guard cursor.skip("]") else { return false }
        cursor.skipSpace()
        return cursor.skip("}") && cursor.isAtEnd
    }

    /// The next line that may be an item.
    private static func nextLine(after start: Cursor) -> Cursor? {
        let bytes = start.source
        var place = start.position
        while let end = bytes.index(of: ASCII.newline, in: place..<bytes.count) {
            place = end + 1
            if bytes[place] == UInt8(ascii: "{"), end > start.position { return JSONCursor(bytes, at: place) }
        }
        return nil
    }

    /// The value of the first member, which has to be `llavero`.
    private static func version(_ cursor: inout Cursor) -> Int? {
        do throws(CodingError) {
            cursor.skipSpace()
            try cursor.expect("{")
            cursor.skipSpace()
            let name = try cursor.string()
            guard cursor.source.text(name) == "llavero" else { return nil }
            cursor.skipSpace()
            try cursor.expect(":")
            cursor.skipSpace()
            return cursor.source.number(try cursor.number())
        } catch { return nil }
    }

    private static func expectItems(_ cursor: inout Cursor) throws(CodingError) {
        cursor.skipSpace()
        try cursor.expect(",")
        cursor.skipSpace()
        guard cursor.source.text(try cursor.string()) == "items" else { throw .malformed }
        cursor.skipSpace()
        try cursor.expect(":")
        cursor.skipSpace()
        try cursor.expect("[")
    }

    private static func add(
        _ start: Cursor, _ place: SourceLocation, _ report: inout ImportReport
    ) throws(ImportError) {
        var cursor = start
        cursor.skipSpace()
        var draft = ExportDraft()
        do throws(CodingError) {
            try cursor.members { (cursor, name) throws(CodingError) in
                try draft.take(try ExportMember.name(cursor.source, name), &cursor)
            }
        } catch { return try report.skip(place, draft.name, .notUnderstood) }
        if draft.isOfCircle { return try report.skip(place, draft.name, .ofCircle) }
        guard let item = draft.item(place) else { return try report.skip(place, draft.name, .notUnderstood) }
        try report.add(item)
    }
}

/// An item of any class from an export of `llavero`, with everything that can be restored.
package struct ExportedItem: Sendable {
    package let itemClass: ItemClass
    /// Its name, for reports.
    package let name: String
    /// The attributes for an Add; each is valid for the class, with a valid value.
    package let attributes: AttributeList
    package let group: AccessGroup
    package let accessControl: AccessControl
    package let isSynchronizable: Bool
    /// When it was first stored, if given.
    package let created: Double?
    /// nil without one, which is not the same as an empty one.
    package let secret: ImportedBytes?
    package let source: SourceLocation
}

/// An item of an export while its members are read: each member may come once, unknown ones are refused.
internal struct ExportDraft {
    /// Its name in the file.
    internal private(set) var name = ""
    private var itemClass: ItemClass?
    private var attributes = AttributeList()
    private var protection: Accessibility?
    private var rules: PropertyList?
    private var secret: ImportedBytes?
    private var seen: Set<[UInt8]> = []

    internal mutating func take(
        _ member: String, _ cursor: inout JSONCursor<ImportedBytes>
    ) throws(CodingError) {
        guard seen.insert(Array(member.utf8)).inserted else { throw .duplicateKey }
        switch member {
        case "name": name = try ExportMember.text(&cursor)
        // For people: derived from other members, or the item's previous keychain.
        case "url", "keychain", "id": _ = try ExportMember.text(&cursor)
        case "kind":
            guard let named = ExportNames.itemClass(named: try ExportMember.text(&cursor)) else { throw .malformed }
            itemClass = named
        case "protection":
            guard let named = ExportNames.protection(named: try ExportMember.text(&cursor)) else { throw .malformed }
            protection = named
        case "rules": rules = try ExportMember.list(&cursor)
        case "secret", "secret-base64":
            guard secret == nil else { throw .duplicateKey }
            let place = try cursor.string()
            secret =
                member == "secret"
                ? ExportMember.bytes(cursor.source, place) : cursor.source.decodingBase64(place)
            guard secret != nil else { throw .malformed }
        default:
            guard let attribute = ExportNames.attribute(named: member), !ExportNames.isLeftOut(attribute) else {
                throw .malformed
            }
            attributes[attribute] = try ExportMember.value(&cursor, of: attribute)
        }
    }

    /// Whether it says that it is of what a keychain keeps of its circle: no export has that, and a daemon would take it for its own.
    internal var isOfCircle: Bool { group == .sync }

    private var group: AccessGroup? {
        guard case .string(let name)? = attributes[.accessGroup] else { return nil }
        return AccessGroup(name)
    }

    /// nil if a required member is missing, or members contradict each other.
    internal func item(_ source: SourceLocation) -> ExportedItem? {
        guard let itemClass, let accessControl, let group, group != .sync, group != .token else { return nil }
        var own = AttributeList()
        for entry in attributes.entries {
            guard entry.attribute.isKnown(to: itemClass), entry.attribute.kind.takes(entry.value) else { return nil }
            switch entry.attribute {
            case .accessGroup, .synchronizable, .creationDate, .modificationDate: continue
            default: own[entry.attribute] = entry.value
            }
        }
        let created: Double? = if case .date(let date)? = attributes[.creationDate] { date } else { nil }
        return ExportedItem(
            itemClass: itemClass, name: name, attributes: own, group: group, accessControl: accessControl,
            isSynchronizable: attributes[.synchronizable] == .number(1), created: created, secret: secret,
            source: source)
    }

    private var accessControl: AccessControl? {
        guard let protection else { return nil }
        guard let rules else { return AccessControl(protection: protection) }
        guard case .dictionary(var fields) = rules,
            fields.updateValue(.string(protection.name), forKey: "prot") == nil
        else { return nil }
        return try? AccessControlCoding.control(.dictionary(fields))
    }
}

/// The values of members in an export.
internal enum ExportMember {
    /// A text that is not secret; it may have a NUL, like attributes.
    internal static func text(_ cursor: inout JSONCursor<ImportedBytes>) throws(CodingError) -> String {
        let place = try cursor.string()
        return try name(cursor.source, place)
    }

    internal static func name(_ source: ImportedBytes, _ place: Range<Int>) throws(CodingError) -> String {
        guard place.count <= ImportLimits.longestText, let bytes = bytes(source, place),
            let text = unsafe bytes.bytes.withUnsafeBytes({ unsafe String(validating: $0, as: UTF8.self) })
        else { throw .malformed }
        return text
    }

    /// The decoded bytes of a string, in memory that is wiped; nil if it is not text.
    internal static func bytes(_ source: ImportedBytes, _ place: Range<Int>) -> ImportedBytes? {
        let bytes = ImportedBytes(capacity: place.count) { output in
            do throws(CodingError) {
                try JSONEscapes.decode(source, place) { output.append($0) }
                return true
            } catch { return false }
        }
        guard let bytes, bytes.isUTF8 else { return nil }
        return bytes
    }

    /// A value of an attribute: text, a number, a switch, or bytes as `{"base64": …}`.
    internal static func value(
        _ cursor: inout JSONCursor<ImportedBytes>, of attribute: Attribute
    ) throws(CodingError) -> AttributeValue {
        switch cursor.peek {
        case ASCII.quote:
            let text = try text(&cursor)
            guard attribute.kind.isDate else { return .string(text) }
            guard let date = ExportDate.date(text) else { throw .malformed }
            return .date(date)
        case UInt8(ascii: "t"):
            try cursor.word("true")
            return .number(1)
        case UInt8(ascii: "f"):
            try cursor.word("false")
            return .number(0)
        case UInt8(ascii: "{"): return .data(try base64(&cursor))
        default: return .number(try number(&cursor))
        }
    }

    /// An integer in canonical form.
    private static func number(_ cursor: inout JSONCursor<ImportedBytes>) throws(CodingError) -> Int64 {
        let place = try cursor.number()
        guard let text = cursor.source.text(place), let number = Int64(text), String(number) == text else {
            throw .malformed
        }
        return number
    }

    private static func base64(_ cursor: inout JSONCursor<ImportedBytes>) throws(CodingError) -> [UInt8] {
        var bytes: [UInt8]?
        try cursor.members { (cursor, name) throws(CodingError) in
            guard try self.name(cursor.source, name) == "base64", bytes == nil,
                let decoded = cursor.source.decodingBase64(try cursor.string())
            else { throw .malformed }
            bytes = unsafe decoded.bytes.withUnsafeBytes { unsafe Array($0) }
        }
        guard let bytes else { throw .malformed }
        return bytes
    }

    /// Rules of an access control, as `AccessControlCoding` has them.
    internal static func list(
        _ cursor: inout JSONCursor<ImportedBytes>, depth: Int = 0
    ) throws(CodingError) -> PropertyList {
        guard depth < deepest else { throw .depthExceeded }
        switch cursor.peek {
        case ASCII.quote: return .string(try text(&cursor))
        case UInt8(ascii: "t"):
            try cursor.word("true")
            return .boolean(true)
        case UInt8(ascii: "f"):
            try cursor.word("false")
            return .boolean(false)
        case UInt8(ascii: "["):
            var values: [PropertyList] = []
            try cursor.elements { (cursor) throws(CodingError) in
                values.append(try list(&cursor, depth: depth + 1))
            }
            return .array(values)
        case UInt8(ascii: "{"):
            var start = cursor
            // Bytes are an object with this one member, and no rule has this name.
            if let bytes = try? base64(&start) {
                cursor = start
                return .data(bytes)
            }
            var fields: [String: PropertyList] = [:]
            try cursor.members { (cursor, name) throws(CodingError) in
                let value = try list(&cursor, depth: depth + 1)
                guard fields.updateValue(value, forKey: try self.name(cursor.source, name)) == nil else {
                    throw .duplicateKey
                }
            }
            return .dictionary(fields)
        default: return .number(try number(&cursor))
        }
    }

    private static let deepest = 8
}

extension Attribute.Kind {
    fileprivate var isDate: Bool { if case .date = self { true } else { false } }
}
