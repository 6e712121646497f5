// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainOneTimeCodes

/// Seeds of one-time codes as QR codes have them, a URL a line: `otpauth://…`, or Google Authenticator's `otpauth-migration://…`.
internal enum OneTimeCodeURLs {
    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        guard let lines = try? SourceLines(bytes) else { return false }
        guard let first = (0..<min(lines.count, 20)).first(where: { !lines.isBlank($0) }) else { return false }
        let line = bytes.trimmed(lines.withoutReturn(first))
        let head = bytes.text(line.lowerBound..<min(line.upperBound, line.lowerBound + 20))?.lowercased() ?? ""
        return head.hasPrefix("otpauth://") || head.hasPrefix("otpauth-migration://")
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, into report: inout ImportReport
    ) throws(ImportError) {
        let lines = try SourceLines(bytes)
        /// Of each export how many parts it has, and which were there.
        var parts: [UInt64: (count: UInt64, seen: Set<UInt64>)] = [:]
        for index in 0..<lines.count where !lines.isBlank(index) {
            let place = SourceLocation(file, line: index + 1)
            let line = bytes.part(bytes.trimmed(lines.withoutReturn(index)))
            let export: OneTimeCodeMigration
            do throws(OneTimeCodeError) {
                export = try unsafe line.bytes.withUnsafeBytes { (text) throws(OneTimeCodeError) in
                    try unsafe OneTimeCodeMigration(text: text)
                }
            } catch {
                try report.skip(place, "", .noSeed(error))
                continue
            }
            parts[export.batch, default: (export.count, [])].seen.insert(export.index)
            for (number, entry) in export.entries.enumerated() {
                let place = SourceLocation(
                    file, line: index + 1, item: export.entries.count > 1 ? number + 1 : nil)
                switch entry {
                case .code(let code): try report.add(item(code, place))
                case .refused(let name, let error): try report.skip(place, name, .noSeed(error))
                }
            }
        }
        for (_, export) in parts.sorted(by: { $0.key < $1.key }) {
            for index in 0..<export.count where !export.seen.contains(index) {
                try report.skip(
                    SourceLocation(file), "part \(index + 1) of \(export.count)", .partMissing)
            }
        }
    }

    /// An item without a password, called as who asks for the code.
    private static func item(_ code: OneTimeCode, _ place: SourceLocation) -> ImportedItem {
        let label = [code.issuer, code.account].first { !$0.isEmpty } ?? "one-time code"
        var item = ImportedItem(
            .generic(service: label), account: code.account, label: label, secret: ImportedBytes(""),
            furtherSecrets: [FurtherSecret("otp", ImportedBytes(code.url()), .oneTimeCode)], source: place)
        item.hasPassword = false
        return item
    }
}
