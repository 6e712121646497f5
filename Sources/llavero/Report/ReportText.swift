// SPDX-License-Identifier: Apache-2.0

internal import KeychainTools

/// A report on a terminal, and for programs.
struct ReportText {
    private let report: SecurityReport

    init(_ report: SecurityReport) { self.report = report }

    func print(_ form: OutputForm) {
        switch form {
        case .json: Swift.print(JSONText.object(members).line)
        case .plain: table(.plain).print(.plain)
        case .people:
            for line in summary { Swift.print(line) }
            if !report.findings.isEmpty {
                Swift.print("")
                table(.people).print(.people)
            }
        }
    }

    /// The counts, and what protects each keychain.
    private var summary: [String] {
        let screen = Screen.output
        var lines = report.protections.map { protection in
            let text = PlainText.shown("keychain \(protection.name) \(protection.text)")
            return protection.fix.map { "\(text); `\(PlainText.shown($0))` sets one" } ?? text
        }
        let words =
            [("passwords", "\(report.passwords), of which \(report.judged) were judged")] + ReportText.counts(report)
        let width = words.map(\.0.utf8.count).max() ?? 0
        lines += words.map { "\(screen.bold(TextWidth.padded($0, to: width)))  \($1)" }
        return lines
    }

    /// What was found how often, in the order of importance.
    static func counts(_ report: SecurityReport) -> [(String, String)] {
        let files = "\(report.examinedFiles) \(report.examinedFiles == 1 ? "file" : "files") examined"
        let unread = report.unreadFiles == 0 ? "" : ", \(report.unreadFiles) could not be read"
        return [
            ("weak", "\(report.count(.weak)), of which \(report.count(grade: .veryWeak)) very weak"),
            (
                "reused",
                "\(report.count(.reused))" + (report.reuseGroups > 0 ? ", in groups: \(report.reuseGroups)" : "")
            ),
            ("in files", "\(report.count(.exposed)); \(files)\(unread)"),
            ("expiring", "\(report.count(.expires))"),
            (
                "certificates",
                "\(report.certificates.count), of which \(report.count(.certificate)) expired or about to"
            ),
            ("unprotected", "\(report.count(.unprotected))"), ("old", "\(report.count(.old))"),
            ("not read", "\(report.count(.notRead))"),
        ]
    }

    /// For people without what names an item for programs, and with the keychains only where there are several.
    private func table(_ form: OutputForm) -> Listing {
        let keys: [String] =
            form == .people
            ? ["finding", "name", "user", "for", "detail"] + (report.protections.count > 1 ? ["keychain"] : [])
            : ReportText.columns.map(\.key)
        let places = ReportText.columns.indices.filter { keys.contains(ReportText.columns[$0].key) }
        var listing = Listing(places.map { ReportText.columns[$0] })
        listing.rows = report.findings.map { finding in
            let row = row(finding)
            return places.map { row[$0] }
        }
        return listing
    }

    private static let columns: [Listing.Column] = [
        .init("FINDING", "finding"), .init("NAME", "name"), .init("USER", "user"), .init("FOR", "for"),
        .init("DETAIL", "detail"), .init("KEYCHAIN", "keychain"), .init("IDENTIFIER", "id"),
    ]

    private func row(_ finding: SecurityReport.Concern) -> [JSONText] {
        let item = report.subjects[finding.subject].item
        return [
            .text(finding.kind.rawValue), .text(item.name), .text(item.account), .text(item.place),
            .text(finding.detail), .text(KeychainNames.name(of: item.keychain.place)), .text(item.identifier),
        ]
    }

    /// Their names stay the same in every version.
    private var members: [(String, JSONText)] {
        let keys = ReportText.columns.map(\.key)
        return [
            ("made", .text(AttributeText.date(report.made))),
            (
                "keychains",
                .list(
                    report.protections.map {
                        .object([("name", .text($0.name)), ("passcode", .boolean($0.hasPasscode))])
                    })
            ), ("counts", .object(numbers.map { ($0, .number(Int64($1))) })),
            ("findings", .list(report.findings.map { .object(Array(zip(keys, row($0)))) })),
            (
                "certificates",
                .list(
                    report.certificates.map { certificate in
                        let item = report.subjects[certificate.subject].item
                        return .object([
                            ("name", .text(item.name)), ("until", .text(AttributeText.date(certificate.end))),
                            ("id", .text(item.identifier)),
                        ])
                    })
            ),
        ]
    }

    private var numbers: [(String, Int)] {
        [
            ("items", report.subjects.count), ("passwords", report.passwords), ("judged", report.judged),
            ("very-weak", report.count(grade: .veryWeak)), ("weak", report.count(grade: .weak)),
            ("fair", report.count(grade: .fair)), ("strong", report.count(grade: .strong)),
            ("reused", report.count(.reused)), ("reuse-groups", report.reuseGroups),
            ("exposed", report.count(.exposed)), ("files-examined", report.examinedFiles),
            ("files-unread", report.unreadFiles), ("expiring", report.count(.expires)),
            ("certificates", report.certificates.count), ("certificates-expiring", report.count(.certificate)),
            ("unprotected", report.count(.unprotected)), ("old", report.count(.old)),
            ("not-read", report.count(.notRead)),
        ]
    }
}
