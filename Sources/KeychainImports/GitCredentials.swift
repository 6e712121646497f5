// SPDX-License-Identifier: Apache-2.0

/// The file of git's helper "store": one URL with a password a line.
internal enum GitCredentials {
    /// Whether the first lines are URLs with passwords.
    internal static func isOne(_ bytes: ImportedBytes) -> Bool {
        guard let lines = try? SourceLines(bytes) else { return false }
        var found = false
        for index in 0..<min(lines.count, 20) where !lines.isBlank(index) && !lines.has("#", at: index) {
            guard ImportedURL(bytes, lines.withoutReturn(index))?.password != nil else { return false }
            found = true
        }
        return found
    }

    internal static func read(
        _ bytes: ImportedBytes, _ file: String, into report: inout ImportReport
    ) throws(ImportError) {
        let lines = try SourceLines(bytes)
        for index in 0..<lines.count where !lines.isBlank(index) && !lines.has("#", at: index) {
            let place = SourceLocation(file, line: index + 1)
            guard let url = ImportedURL(bytes, lines.withoutReturn(index)) else {
                try report.skip(place, "", .damaged)
                continue
            }
            guard let encoded = url.password, let user = url.user else {
                try report.skip(place, url.host, .noSecret)
                continue
            }
            guard let secret = bytes.decodingPercent(encoded), let account = bytes.decodingPercent(user) else {
                try report.skip(place, url.host, .damaged)
                continue
            }
            guard let name = account.text else {
                try report.skip(place, url.host, .notText)
                continue
            }
            let target = url.place
            try report.add(
                ImportedItem(
                    .internet(target), account: name, label: target.server, secret: secret,
                    attributes: target.protocolCode == nil ? [ImportedAttribute("protocol", url.scheme)] : [],
                    source: place))
        }
    }
}
