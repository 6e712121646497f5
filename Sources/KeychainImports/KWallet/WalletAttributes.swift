// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// What programs said of their entries by the Secret Service, which KWallet keeps beside the wallet as JSON.
package struct WalletAttributes {
    internal struct Entry {
        fileprivate(set) var attributes: [ImportedAttribute] = []
        fileprivate(set) var contentType: String?
        /// In seconds since 1970.
        fileprivate(set) var created: UInt64?
        fileprivate(set) var modified: UInt64?
    }

    private typealias Cursor = JSONCursor<ImportedBytes>

    /// By folder and name, with a slash between them.
    internal private(set) var entries: [String: Entry] = [:]

    /// Without a file there is nothing said.
    package init(_ bytes: ImportedBytes?) throws(ImportError) {
        guard let bytes else { return }
        do throws(CodingError) {
            var cursor = Cursor(bytes)
            cursor.skipSpace()
            try cursor.members { (cursor, name) throws(CodingError) in
                // Beside the entries stand the times of the wallet itself.
                guard cursor.peek == UInt8(ascii: "{") else { return try cursor.passOver(depth: 1) }
                guard entries.count < ImportLimits.mostItems else { throw .malformed }
                entries[try WalletAttributes.text(bytes, name)] = try WalletAttributes.entry(&cursor)
            }
            guard cursor.isAtEnd else { throw .malformed }
        } catch { throw .wallet(.attributes) }
    }

    private static func entry(_ cursor: inout Cursor) throws(CodingError) -> Entry {
        var entry = Entry()
        try cursor.members { (cursor, range) throws(CodingError) in
            let bytes = cursor.source
            switch try text(bytes, range) {
            case "attributes":
                try cursor.members { (cursor, name) throws(CodingError) in
                    let name = try text(bytes, name)
                    entry.attributes.append(ImportedAttribute(name, try text(bytes, try cursor.string())))
                }
            case "$fdo_mime_type": entry.contentType = try text(bytes, try cursor.string())
            case "$fdo_created": entry.created = UInt64(try text(bytes, try cursor.string()))
            case "$fdo_modified": entry.modified = UInt64(try text(bytes, try cursor.string()))
            default: try cursor.passOver(depth: 2)
            }
        }
        return entry
    }

    private static func text(_ bytes: ImportedBytes, _ range: Range<Int>) throws(CodingError) -> String {
        var failure: CodingError?
        let decoded = ImportedBytes(capacity: range.count) { output in
            do throws(CodingError) { try JSONEscapes.decode(bytes, range) { output.append($0) } } catch {
                failure = error
                return false
            }
            return true
        }
        if let failure { throw failure }
        guard let text = decoded?.text else { throw .malformed }
        return text
    }
}
