// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The decrypted part of a wallet, as Qt writes it: folders, in them entries, of which each has a name, a kind and bytes.
package struct WalletEntries {
    private var reader: BinaryReader
    private let file: String
    private let attributes: WalletAttributes
    /// Whether a map is one item, as KWallet shows it on the bus, or one for each of its values.
    private let mapsWhole: Bool
    private var number = 0

    package static func read(
        _ text: ImportedBytes, _ file: String, _ attributes: WalletAttributes, _ options: ImportOptions
    ) throws(ImportError) -> ImportReport {
        var report = ImportReport(.kwallet)
        var entries = WalletEntries(text, file, attributes, mapsWhole: options.forSecretService)
        try entries.read(into: &report)
        return report
    }

    private init(_ text: ImportedBytes, _ file: String, _ attributes: WalletAttributes, mapsWhole: Bool) {
        reader = BinaryReader(text)
        (self.file, self.attributes, self.mapsWhole) = (file, attributes, mapsWhole)
    }

    private mutating func read(into report: inout ImportReport) throws(ImportError) {
        while reader.position < reader.bytes.count {
            do throws(ImportError) { try readFolder(&report) } catch {
                guard error == .damaged else { throw error }
                // What the digest holds for right was written so.
                return try report.skip(SourceLocation(file, item: number + 1), "", .brokenOff)
            }
        }
    }

    private mutating func readFolder(_ report: inout ImportReport) throws(ImportError) {
        let folder = reader.bytes.decodingUTF16(try reader.string())
        for _ in 0..<(try reader.number()) {
            let key = reader.bytes.decodingUTF16(try reader.string())
            let kind = try reader.number()
            let value = try reader.string() ?? 0..<0
            number += 1
            let place = SourceLocation(file, item: number)
            guard let folder, let key else {
                try report.skip(place, "", .notText)
                continue
            }
            guard let folderName = folder.text, let keyName = key.text else {
                try report.skip(place, "", folder.hasNUL || key.hasNUL ? .holdsNUL : .tooLarge)
                continue
            }
            let entry = Entry(folder: folderName, key: keyName, place: place)
            if let reason = try take(entry, kind, value, &report) { try report.skip(place, entry.label, reason) }
        }
    }

    /// Adds what an entry has; returns why it does not.
    private func take(
        _ entry: Entry, _ kind: UInt32, _ value: Range<Int>, _ report: inout ImportReport
    ) throws(ImportError) -> SkipReason? {
        switch kind {
        case 1:
            // Qt tells a text that was never set from an empty one.
            guard !value.isEmpty else { return try add(entry, reader.bytes.part(value), &report) }
            var inside = BinaryReader(reader.bytes.part(value))
            do throws(ImportError) {
                let text = try inside.string() ?? 0..<0
                guard inside.isAtEnd, let secret = inside.bytes.decodingUTF16(text) else { return .damaged }
                return try add(entry, secret, &report)
            } catch {
                guard error == .damaged else { throw error }
                return .damaged
            }
        case 2: return try add(entry, reader.bytes.part(value), &report)
        case 3 where mapsWhole: return try add(entry, reader.bytes.part(value), &report)
        case 3: return try addMap(entry, reader.bytes.part(value), &report)
        default: return .notUnderstood
        }
    }

    private func add(
        _ entry: Entry, _ secret: ImportedBytes, _ report: inout ImportReport
    ) throws(ImportError) -> SkipReason? {
        try report.add(item(entry, secret))
        return nil
    }

    /// An item for each value of a map.
    private func addMap(
        _ entry: Entry, _ map: ImportedBytes, _ report: inout ImportReport
    ) throws(ImportError) -> SkipReason? {
        var inside = BinaryReader(map)
        var pairs: [(name: ImportedBytes, value: ImportedBytes)] = []
        do throws(ImportError) {
            for _ in 0..<(try inside.number()) {
                guard let name = map.decodingUTF16(try inside.string()),
                    let value = map.decodingUTF16(try inside.string())
                else { return .damaged }
                pairs.append((name, value))
            }
        } catch { return .damaged }
        guard inside.isAtEnd else { return .damaged }
        guard !pairs.isEmpty else { return .noSecret }
        for (name, value) in pairs {
            guard let name = name.text else {
                try report.skip(entry.place, entry.label, name.hasNUL ? .holdsNUL : .tooLarge)
                continue
            }
            try report.add(item(entry, value, name))
        }
        return nil
    }

    private func item(_ entry: Entry, _ secret: ImportedBytes, _ valueName: String? = nil) -> ImportedItem {
        let known = attributes.entries[entry.path]
        let label = valueName.map { "\(entry.label) (\($0))" } ?? entry.label
        var item: ImportedItem
        if let known, !known.attributes.isEmpty {
            var kept = KeyringItem(source: entry.place)
            (kept.label, kept.attributes) = (label, known.attributes)
            item = kept.item(secret: secret)
            item.schema = nil
        } else {
            let service = valueName == nil ? entry.folder : label
            item = ImportedItem(
                .generic(service: service), account: entry.key, label: label, secret: secret, source: entry.place)
        }
        (item.created, item.modified) = (known?.created, known?.modified)
        item.contentType = known?.contentType ?? WalletEntries.contentType
        return item
    }

    /// What KWallet says on the bus of entries that came another way.
    private static let contentType = "application/octet-stream"
}

extension WalletEntries {
    private struct Entry {
        let folder: String
        let key: String
        let place: SourceLocation

        /// As it is called in the file of attributes.
        var path: String { "\(folder)/\(key)" }

        /// As KWallet calls it on the bus: without the folder of what programs stored there, and the number by which it tells
        /// entries of one name apart.
        var label: String {
            let whole = folder == "Secret Service" ? key : path
            let bytes = Array(whole.utf8)
            guard bytes.last == ASCII.underscore else { return whole }
            let start = bytes.dropLast().lastIndex { ASCII.digit($0) == nil }
            guard let start, start < bytes.count - 2, start > 0, bytes[start] == ASCII.underscore,
                bytes[start - 1] == ASCII.underscore
            else { return whole }
            return String(decoding: bytes[..<(start - 1)], as: UTF8.self)
        }
    }
}

extension BinaryReader {
    fileprivate var isAtEnd: Bool { position == bytes.count }
}

extension ImportedBytes {
    fileprivate var hasNUL: Bool { index(of: 0, in: all) != nil }

    /// UTF-16, the high byte first, as UTF-8; nil where it is not that.
    ///
    /// A text that was never set is empty.
    fileprivate func decodingUTF16(_ range: Range<Int>?) -> ImportedBytes? {
        let range = range ?? 0..<0
        guard range.count % 2 == 0 else { return nil }
        return ImportedBytes(capacity: range.count / 2 * 3) { output in
            var index = range.lowerBound
            func unit() -> UInt32? {
                guard index < range.upperBound, let high = self[index], let low = self[index + 1] else { return nil }
                index += 2
                return UInt32(high) << 8 | UInt32(low)
            }
            while let first = unit() {
                var value = first
                if (0xD800..<0xDC00).contains(first) {
                    guard let second = unit(), (0xDC00..<0xE000).contains(second) else { return false }
                    value = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
                }
                guard let scalar = Unicode.Scalar(value), let bytes = UTF8.encode(scalar) else { return false }
                for byte in bytes { output.append(byte) }
            }
            return true
        }
    }
}
