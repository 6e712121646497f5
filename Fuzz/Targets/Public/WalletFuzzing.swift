// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel

/// What a wallet of KWallet has inside of its encryption, and the file of attributes beside it: two bytes say how long that is,
/// then it follows, then the inside.
internal enum WalletFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard bytes.count >= 2 else { return .refused }
        let count = min(Int(bytes[0]) << 8 | Int(bytes[1]), bytes.count - 2)
        let (json, text) = (bytes[2..<2 + count], bytes[(2 + count)...])
        let file = ImportedBytes(SecretBytes(Array(json)))
        guard let attributes = try? WalletAttributes(count == 0 ? nil : file) else { return .refused }
        var found = 0
        for isWhole in [false, true] {
            var options = ImportOptions()
            options.forSecretService = isWhole
            guard let report = read(Array(text), attributes, options) else { return .refused }
            for item in report.items { try OtherStoresFuzzing.check(item) }
            found += report.items.count
            guard let again = read(Array(text), attributes, options) else {
                throw BrokenPromise("what is read once is read again")
            }
            try promise(report.findings == again.findings, "what is read twice is told of alike")
            try promise(OtherStoresFuzzing.isEqual(report.items, again.items), "what is read twice is the same")
            if count == 0, isWhole { try checkWritten(report.items, attributes, options) }
        }
        return found > 0 ? .accepted : .refused
    }

    private static func read(
        _ text: [UInt8], _ attributes: WalletAttributes, _ options: ImportOptions
    ) -> ImportReport? {
        try? WalletEntries.read(ImportedBytes(SecretBytes(text)), "input", attributes, options)
    }

    /// Entries that are written as bytes come out with the same names and secrets.
    private static func checkWritten(
        _ items: [ImportedItem], _ attributes: WalletAttributes, _ options: ImportOptions
    ) throws(BrokenPromise) {
        var text: [UInt8] = []
        for item in items {
            guard case .generic(let folder) = item.kind else { throw BrokenPromise("a folder is no server") }
            text += string(folder) + number(1) + string(item.account) + number(2)
            text += number(item.secret.count) + item.secret.bytes.array
        }
        guard let report = read(text, attributes, options) else { throw BrokenPromise("what was written is read") }
        try promise(report.findings.isEmpty, "what was written is undamaged")
        try promise(OtherStoresFuzzing.isEqual(report.items, items), "what was written is what was read")
        try promise(report.items.map(\.label) == items.map(\.label), "what was written is what was read")
    }

    private static func number(_ value: Int) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func string(_ text: String) -> [UInt8] {
        number(text.utf16.count * 2) + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }
}
