// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// The values of members in an export.
internal enum ExportMember {
    /// A text that is no secret; it may have a NUL, as attributes may.
    internal static func text(_ cursor: inout JSONCursor<ImportedBytes>) throws(JSONFault) -> String {
        let place = try cursor.string()
        return try name(cursor.source, place)
    }

    internal static func name(_ source: ImportedBytes, _ place: Range<Int>) throws(JSONFault) -> String {
        guard place.count <= ImportLimits.longestText, let bytes = bytes(source, place),
            let text = unsafe bytes.bytes.withUnsafeBytes({ unsafe String(validating: $0, as: UTF8.self) })
        else { throw .malformed }
        return text
    }

    /// The bytes that a text stands for, in memory that is wiped; nil where it is no text.
    internal static func bytes(_ source: ImportedBytes, _ place: Range<Int>) -> ImportedBytes? {
        let bytes = ImportedBytes(capacity: place.count) { output in
            do throws(JSONFault) {
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
    ) throws(JSONFault) -> AttributeValue {
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

    /// Whole, and in the one way that such a number is written.
    private static func number(_ cursor: inout JSONCursor<ImportedBytes>) throws(JSONFault) -> Int64 {
        let place = try cursor.number()
        guard let text = cursor.source.text(place), let number = Int64(text), String(number) == text else {
            throw .malformed
        }
        return number
    }

    private static func base64(_ cursor: inout JSONCursor<ImportedBytes>) throws(JSONFault) -> [UInt8] {
        var bytes: [UInt8]?
        try cursor.members { (cursor, name) throws(JSONFault) in
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
    ) throws(JSONFault) -> PropertyList {
        guard depth < deepest else { throw .tooDeep }
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
            try cursor.elements { (cursor) throws(JSONFault) in
                values.append(try list(&cursor, depth: depth + 1))
            }
            return .array(values)
        case UInt8(ascii: "{"):
            var start = cursor
            // Bytes look like an object with this one member, and no rule has such a name.
            if let bytes = try? base64(&start) {
                cursor = start
                return .data(bytes)
            }
            var fields: [String: PropertyList] = [:]
            try cursor.members { (cursor, name) throws(JSONFault) in
                let value = try list(&cursor, depth: depth + 1)
                guard fields.updateValue(value, forKey: try self.name(cursor.source, name)) == nil else {
                    throw .twice
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
