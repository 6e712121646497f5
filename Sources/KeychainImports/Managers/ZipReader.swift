// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// A ZIP file (APPNOTE 6.3), read strictly: what two readers could take for different contents is refused.
///
/// Stored or deflated files alone, no encryption, no ZIP64. A file's two headers agree, and no two files share bytes, so what is
/// unpacked is never much larger than what is declared, and that has a limit.
internal struct ZipReader {
    private struct Entry {
        let content: Range<Int>
        let isCompressed: Bool
        let size: Int
        let sum: UInt32
    }

    private let bytes: ImportedBytes
    private let entries: [String: Entry]
    /// In the order of the directory.
    internal let names: [String]

    internal static func isOne(_ bytes: ImportedBytes) -> Bool { bytes.has("PK\u{3}\u{4}", at: 0) }

    /// Which export it is, by the file in it.
    internal static func format(_ bytes: ImportedBytes) -> ImportFormat? {
        guard let zip = try? ZipReader(bytes) else { return nil }
        return zip.names.contains(OnePassword.data) ? .onePassword : zip.names.contains("data.json") ? .bitwarden : nil
    }

    internal init(_ bytes: ImportedBytes) throws(ImportError) {
        self.bytes = bytes
        guard let end = ZipReader.end(of: bytes), bytes.littleEndian(end + 4..<end + 8) == 0,
            let count = bytes.littleEndian(end + 10..<end + 12), bytes.littleEndian(end + 8..<end + 10) == count,
            let size = bytes.littleEndian(end + 12..<end + 16), let start = bytes.littleEndian(end + 16..<end + 20),
            count < 0xFFFF, start + size == end
        else { throw .damaged }
        var (names, entries, places): ([String], [String: Entry], [Range<Int>]) = ([], [:], [])
        var (place, sum) = (start, 0)
        for _ in 0..<count {
            let (name, entry, whole, next) = try ZipReader.entry(bytes, at: place, before: start)
            guard entries.updateValue(entry, forKey: name) == nil else { throw .damaged }
            names.append(name)
            places.append(whole)
            place = next
            sum += entry.size
            guard sum <= ImportLimits.largestSum else { throw .tooLarge }
        }
        guard place == end else { throw .damaged }
        places.sort { $0.lowerBound < $1.lowerBound }
        for (before, after) in zip(places, places.dropFirst()) where before.upperBound > after.lowerBound {
            throw .damaged
        }
        (self.names, self.entries) = (names, entries)
    }

    internal func content(_ name: String) throws(ImportError) -> ImportedBytes {
        guard let entry = entries[name] else { throw .damaged }
        if !entry.isCompressed {
            let content = bytes.part(entry.content)
            guard GzipReader.sum(of: content) == entry.sum else { throw .damaged }
            return content
        }
        guard let content = GzipReader.inflated(bytes, entry.content, size: entry.size, sum: entry.sum) else {
            throw .damaged
        }
        return content
    }

    /// The record at the end, behind which there is nothing but its comment.
    private static func end(of bytes: ImportedBytes) -> Int? {
        guard bytes.count >= 22 else { return nil }
        for place in stride(from: bytes.count - 22, through: max(0, bytes.count - 22 - 0xFFFF), by: -1)
        where bytes.has("PK\u{5}\u{6}", at: place) {
            return bytes.littleEndian(place + 20..<place + 22) == bytes.count - place - 22 ? place : nil
        }
        return nil
    }

    /// An entry of the directory, all bytes of its file, and where the next entry is.
    private static func entry(
        _ bytes: ImportedBytes, at place: Int, before directory: Int
    ) throws(ImportError) -> (name: String, Entry, whole: Range<Int>, next: Int) {
        func number(_ offset: Int, _ size: Int) throws(ImportError) -> Int {
            guard let number = bytes.littleEndian(offset..<offset + size) else { throw .damaged }
            return number
        }
        guard bytes.has("PK\u{1}\u{2}", at: place) else { throw .damaged }
        let (flags, method) = (try number(place + 8, 2), try number(place + 10, 2))
        let (sum, packed, size) = (try number(place + 16, 4), try number(place + 20, 4), try number(place + 24, 4))
        let (named, extra, comment) = (try number(place + 28, 2), try number(place + 30, 2), try number(place + 32, 2))
        let (disk, local) = (try number(place + 34, 2), try number(place + 42, 4))
        // Encrypted, or patched, or with a hidden directory.
        guard flags & 0x2061 == 0, disk == 0 else { throw .unknownVersion }
        guard packed < 0xFFFF_FFFF, size < 0xFFFF_FFFF, local < 0xFFFF_FFFF else { throw .unknownVersion }
        guard method == 0 || method == 8 else { throw .unknownVersion }
        guard let name = bytes.text(place + 46..<place + 46 + named), name.utf8.count == named, named > 0,
            !name.parts(between: "/").contains(".."), name.utf8.first != ASCII.slash
        else { throw .damaged }
        guard bytes.has("PK\u{3}\u{4}", at: local), try number(local + 6, 2) == flags,
            try number(local + 8, 2) == method, try number(local + 26, 2) == named,
            bytes.text(local + 30..<local + 30 + named).map({ $0.utf8.elementsEqual(name.utf8) }) ?? false
        else { throw .damaged }
        // Sizes that stand behind the content are not here too; else both headers say the same.
        if flags & 8 == 0 {
            guard try number(local + 14, 4) == sum, try number(local + 18, 4) == packed,
                try number(local + 22, 4) == size
            else { throw .damaged }
        }
        let start = local + 30 + named + (try number(local + 28, 2))
        guard start + packed <= directory, method == 8 || packed == size else { throw .damaged }
        guard size / 1100 <= packed else { throw .tooLarge }
        let entry = Entry(
            content: start..<start + packed, isCompressed: method == 8, size: size, sum: UInt32(truncatingIfNeeded: sum)
        )
        return (name, entry, local..<start + packed, place + 46 + named + extra + comment)
    }
}
