// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// What `llavero export` writes: an object with a version and a list of items, each in a line of its own.
///
/// What is damaged ends with the line, or the item, that it is in; an item that says what nobody here knows is left out.
internal enum LlaveroExport {
    private typealias Cursor = JSONCursor<ImportedBytes>

    /// Whether it begins as one of whatever version.
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
        do throws(JSONFault) { try expectItems(&cursor) } catch { throw .damaged }
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

    /// Goes past an item, and the comma behind it if there is one; false where it is none.
    private static func passItem(_ cursor: inout Cursor) -> Bool {
        do throws(JSONFault) {
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

    /// The next line that may be an item's.
    private static func nextLine(after start: Cursor) -> Cursor? {
        let bytes = start.source
        var place = start.position
        while let end = bytes.index(of: ASCII.newline, in: place..<bytes.count) {
            place = end + 1
            if bytes[place] == UInt8(ascii: "{"), end > start.position { return JSONCursor(bytes, at: place) }
        }
        return nil
    }

    /// What stands behind the first member's name, which has to be `llavero`.
    private static func version(_ cursor: inout Cursor) -> Int? {
        do throws(JSONFault) {
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

    private static func expectItems(_ cursor: inout Cursor) throws(JSONFault) {
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
        do throws(JSONFault) {
            try cursor.members { (cursor, name) throws(JSONFault) in
                try draft.take(try ExportMember.name(cursor.source, name), &cursor)
            }
        } catch { return try report.skip(place, draft.name, .notUnderstood) }
        guard let item = draft.item(place) else { return try report.skip(place, draft.name, .notUnderstood) }
        try report.add(item)
    }
}
