// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainImports
internal import KeychainModel

/// A file of another store, read as each of the formats and as what gpg makes of a file of pass.
internal enum OtherStoresFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard !isSlow(bytes) else { return .skipped }
        let file = ImportFile(name: "input", content: ImportedBytes(SecretBytes(bytes)))
        let password = Array("hunter2".utf8).withUnsafeBytes { Passcode(copying: $0) }
        let detected = file.detectedFormat
        var found = 0
        // As what it seems to be, and as one other format: each way costs as much as all that is learnt from it.
        let others = ImportFormat.allCases.filter { !$0.isFolder && $0 != detected }
        let other = others[Int(bytes.last ?? 0) % others.count]
        for format in [detected, other].compactMap(\.self) {
            guard let report = try? file.read(as: format, password: password) else { continue }
            for item in report.items { try check(item) }
            for item in report.exported { try check(item) }
            guard format == detected else { continue }
            found += report.items.count + report.exported.count
            try checkTable(report.items)
            // The rounds that open a sealed file are what takes its time.
            guard format != .kwallet, format != .kdbx, !bytes.starts(with: gnomeMagic) else { continue }
            guard let again = try? file.read(as: format, password: password) else {
                throw BrokenPromise("what is read once is read again")
            }
            try promise(report.findings == again.findings, "what is read twice is told of alike")
            try promise(isEqual(report.items, again.items), "what is read twice is the same")
            try promise(isEqual(report.exported, again.exported), "what is read twice is the same")
        }
        try checkPass(file.content, bytes)
        return found > 0 ? .accepted : .refused
    }

    /// What is inside of a sealed database, of an archive, or of a link with several seeds: nobody guesses sums and codes.
    static func feedContent(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard !isSlow(bytes) else { return .skipped }
        guard let database = SealedStores.database(of: bytes) else { throw BrokenPromise("a database is sealed") }
        let link = "otpauth-migration://offline?data=" + Data(bytes).base64EncodedString().replacing("+", with: "%2B")
        let files: [(ImportFormat, [UInt8])] = [
            (.kdbx, database), (.onePassword, SealedStores.archive(of: bytes, called: "export.data")),
            (.bitwarden, SealedStores.archive(of: bytes, called: "data.json")), (.oneTimeCodes, Array(link.utf8)),
        ]
        let password = Array("hunter2".utf8).withUnsafeBytes { Passcode(copying: $0) }
        var found = 0
        for (format, content) in files {
            let file = ImportFile(name: "input", content: ImportedBytes(SecretBytes(content)))
            let report: ImportReport
            do throws(ImportError) { report = try file.read(as: format, password: password) } catch {
                try promise(error != .wrongPassword || format == .bitwarden, "what was sealed opens")
                continue
            }
            for item in report.items { try check(item) }
            found += report.items.count
            guard let again = try? file.read(as: format, password: password) else {
                throw BrokenPromise("what is read once is read again")
            }
            try promise(report.findings == again.findings, "what is read twice is told of alike")
            try promise(isEqual(report.items, again.items), "what is read twice is the same")
        }
        return found > 0 ? .accepted : .refused
    }

    /// All of a file of pass is one secret, or its first line is; then all other lines are somewhere too.
    private static func checkPass(_ content: ImportedBytes, _ bytes: [UInt8]) throws(BrokenPromise) {
        let first = bytes.firstIndex(of: 0x0A).map { Array(bytes[..<$0]) } ?? bytes
        var options = ImportOptions()
        for reading in [PassReading.byContent, .firstLine, .wholeFile] {
            options.passReading = reading
            let entry = PassEntry.item(content, name: "name", SourceLocation("name.gpg"), options)
            try check(entry)
            let isWhole = entry.repairs == [.wholeFile]
            try promise(!isWhole || reading != .firstLine, "the first line is the password where that is wanted")
            for other in entry.otherReading {
                try check(other)
                try promise((other.repairs == [.wholeFile]) != isWhole, "the other choice is another one")
            }
            // A seed in the first line, as `pass otp insert` writes it, is the item's code.
            let isCode =
                !isWhole && entry.secret.bytes.array.isEmpty
                && entry.furtherSecrets.contains { $0.part == .oneTimeCode }
            try promise(
                isCode || entry.secret.bytes.array == (isWhole ? bytes : first),
                "a file of pass has its first line, or all of it, as password or as code")
        }
    }

    static func check(_ item: ImportedItem) throws(BrokenPromise) {
        if case .internet(let place) = item.kind {
            try promise(!place.server.isEmpty, "a place has a server")
            try promise(place.protocolCode.map { $0.utf8.count == 4 } ?? true, "a protocol has four letters")
        }
        let lookup = SourceAttributes.text(of: item.lookup)
        let read = SourceAttributes.attributes(in: lookup).map { SourceAttributes.text(of: $0) }
        try promise(
            read.map { $0.utf8.elementsEqual(lookup.utf8) } ?? false, "attributes are read out of their text again")
        let texts =
            [item.account, item.label, item.comment] + (item.attributes + item.lookup).flatMap { [$0.name, $0.value] }
        try promise(texts.allSatisfy { !$0.utf8.contains(0) }, "no name has a NUL in it")
    }

    /// The keychain would store what an export says of an item.
    private static func check(_ item: ExportedItem) throws(BrokenPromise) {
        for entry in item.attributes.entries {
            try promise(entry.attribute.isKnown(to: item.itemClass), "an attribute is one of the class")
            try promise(entry.attribute.kind.takes(entry.value), "a value is one that the attribute takes")
            try promise(!ExportNames.isLeftOut(entry.attribute), "what the keychain decides is not told to it")
        }
        if let date = item.created {
            try promise(ExportDate.text(date).flatMap(ExportDate.date) == date, "a date has its text")
        }
    }

    private static func isEqual(_ left: [ExportedItem], _ right: [ExportedItem]) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                left.itemClass == right.itemClass && left.attributes == right.attributes && left.group == right.group
                    && left.accessControl == right.accessControl && left.created == right.created
                    && left.secret?.bytes.array == right.secret?.bytes.array
            }
    }

    /// What was read is read again out of a table of it.
    private static func checkTable(_ items: [ImportedItem]) throws(BrokenPromise) {
        // A reference of KeePass in it would be resolved, or named.
        let isPlain = items.allSatisfy { item in
            let texts = [Array(item.label.utf8), Array(item.account.utf8), item.secret.bytes.array]
            return !texts.contains { String(decoding: $0, as: UTF8.self).uppercased().contains("{REF:") }
        }
        guard isPlain else { return }
        var table = Array("\"Title\",\"Username\",\"Password\"\n".utf8)
        for item in items {
            for field in [Array(item.label.utf8), Array(item.account.utf8), item.secret.bytes.array] {
                table += [0x22] + field.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22, 0x2C]
            }
            table[table.count - 1] = 0x0A
        }
        let file = ImportFile(name: "table", content: ImportedBytes(SecretBytes(table)))
        guard let report = try? file.read(as: .keepassCSV) else { throw BrokenPromise("a table is read") }
        try promise(report.findings.isEmpty, "a table that was written is undamaged")
        let isSame = zip(report.items, items).allSatisfy { new, old in
            new.account == old.account && new.label == old.label && new.secret.bytes.array == old.secret.bytes.array
        }
        try promise(isSame && report.items.count == items.count, "a table has what was written into it")
    }

    static func isEqual(_ left: [ImportedItem], _ right: [ImportedItem]) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                left.kind == right.kind && left.account == right.account && left.attributes == right.attributes
                    && left.secret.bytes.isEqualInConstantTime(to: right.secret.bytes)
            }
    }

    /// Whether a database of KeePass asks for more rounds than there is time for: behind `R` in version 4, in field 6 before.
    private static func isSlowDatabase(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: [0x03, 0xD9, 0xA2, 0x9A]) else { return false }
        for mark in [[5, 1, 0, 0, 0, UInt8(ascii: "R"), 8, 0, 0, 0], [6, 8, 0]] {
            for place in bytes.indices where bytes[place...].starts(with: mark) {
                let rounds = bytes[(place + mark.count)...].prefix(8).reversed().reduce(UInt64(0)) {
                    $0 << 8 | UInt64($1)
                }
                if rounds > 20_000 { return true }
            }
        }
        return false
    }

    /// Whether a sealed export of Bitwarden does: a number of five digits is enough.
    private static func isSlowExport(_ bytes: [UInt8]) -> Bool {
        let name = Array("kdfIterations".utf8)
        guard let place = bytes.indices.first(where: { bytes[$0...].starts(with: name) }) else { return false }
        return bytes[place...].prefix(64).split(whereSeparator: { !(0x30...0x39).contains($0) }).contains {
            $0.count > 4
        }
    }

    /// Whether a sealed keyring asks for more rounds than there is time for; they stand behind its name.
    private static func isSlow(_ bytes: [UInt8]) -> Bool {
        if isSlowDatabase(bytes) || isSlowExport(bytes) { return true }
        guard bytes.starts(with: gnomeMagic), bytes.count > 24 else { return false }
        let name = bytes[20..<24].reduce(0) { $0 << 8 | Int($1) }
        let place = 24 + (name == 0xFFFF_FFFF ? 0 : name) + 24
        guard place + 4 <= bytes.count else { return false }
        return bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } > 2000
    }
    private static let gnomeMagic = Array("GnomeKeyring\n\r\0\n".utf8)
}
