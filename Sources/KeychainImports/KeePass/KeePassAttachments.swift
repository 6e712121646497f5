// SPDX-License-Identifier: Apache-2.0

/// The attachments of an export: in entries, in a list at its beginning, beside the XML of a database, or in another file.
internal struct KeePassAttachments {
    /// Of which entry one is, by its identifier, and its name there.
    internal struct EntryFile: Hashable {
        internal let entry: String
        internal let name: String
    }

    /// As the XML has it: base64, decoded when an entry refers to it.
    internal struct Written {
        internal let text: XMLText
        internal let isCompressed: Bool
        internal let isEncrypted: Bool
        /// What was sealed, or stands beside the XML.
        internal var content: ImportedBytes?
    }

    internal enum Outcome {
        case content(ImportedBytes)
        case lost(SkipReason)
    }

    /// Whether entries have attachments, and none has a content.
    internal static func areMissing(in bytes: ImportedBytes) -> Bool {
        var hasOne = false
        var index = 0
        // No text has this sign.
        while let tag = bytes.index(of: ASCII.less, in: index..<bytes.count) {
            index = tag + 1
            if bytes.has("<Binary ID=", at: tag) { return false }
            if !hasOne { hasOne = bytes.has("<Binary>", at: tag) }
        }
        return hasOne
    }

    /// What entries refer to by a number.
    private var list: [String: Written] = [:]
    /// The remaining number of bytes for all of them.
    private var room = ImportLimits.largestSum / 2
    /// Their contents, where the XML is known to have none; empty where they cannot be had.
    internal var elsewhere: [EntryFile: ImportedBytes]?

    /// What became of those of the list that entries referred to: each is decoded once, however many refer to it.
    private var known: [String: Outcome] = [:]

    internal mutating func define(_ number: String, _ written: Written) {
        list[number] = written
        known[number] = nil
    }

    /// The bytes of the one with a number; nil where there is none.
    internal mutating func take(
        _ number: String, _ secrets: KeePassSecrets?, _ source: ImportedBytes
    ) -> Outcome? {
        switch known[number] {
        case .content(let content):
            guard content.count <= min(room, ImportLimits.largestFile) else { return .lost(.tooLarge) }
            room -= content.count
            return .content(content)
        // The room becomes only smaller.
        case .lost(let reason): return .lost(reason)
        case nil: break
        }
        guard let written = written(number, secrets) else { return nil }
        let outcome = take(written, source)
        known[number] = outcome
        return outcome
    }

    private func written(_ number: String, _ secrets: KeePassSecrets?) -> Written? {
        if let written = list[number] { return written }
        guard let secrets, let index = Int(number), secrets.files.indices.contains(index) else { return nil }
        return Written(text: XMLText(), isCompressed: false, isEncrypted: false, content: secrets.files[index])
    }

    /// Its bytes, of which all together have a limit.
    internal mutating func take(_ written: Written, _ source: ImportedBytes) -> Outcome {
        guard !written.isEncrypted else { return .lost(.encrypted) }
        let limit = min(room, ImportLimits.largestFile)
        let encoded = written.content == nil ? written.text.decoded(source)?.withoutSpace : nil
        guard let bytes = written.content ?? encoded.flatMap({ $0.decodingBase64($0.all) }) else {
            return .lost(.damaged)
        }
        guard bytes.count <= limit, !written.isCompressed || GzipReader.size(bytes) ?? 0 <= limit else {
            return .lost(.tooLarge)
        }
        guard let content = written.isCompressed ? GzipReader.read(bytes, limit: limit) : bytes else {
            return .lost(.damaged)
        }
        room -= content.count
        return .content(content)
    }

    /// One of which the XML has a number that stands for nothing.
    internal mutating func take(elsewhere place: EntryFile) -> Outcome {
        guard let content = elsewhere?[place] else { return .lost(elsewhere == nil ? .damaged : .notGivenOut) }
        guard content.count <= min(room, ImportLimits.largestFile) else { return .lost(.tooLarge) }
        room -= content.count
        return .content(content)
    }
}
