// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools

/// A report as one page of HTML that needs nothing beside it: no script, no font, no picture from elsewhere.
///
/// Its policy lets a browser load nothing and run nothing; of styles it allows the one whose hash it names. So even a name that
/// was not escaped could only be shown.
struct ReportPage {
    private let report: SecurityReport

    init(_ report: SecurityReport) { self.report = report }

    var text: String {
        get throws(CommandError) {
            let style = ReportPage.style
            let hash = try CommandError.saying("the page cannot be written") { () throws(CryptoError) in
                Base64.text(of: try Digest.sha256(of: Array(style.utf8)))
            }
            let policy = "default-src 'none'; style-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'"
            return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta http-equiv="Content-Security-Policy" content="\(policy)">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <meta name="referrer" content="no-referrer">
                <meta name="robots" content="noindex">
                <title>Llavero: report of \(day)</title>
                <style>\(style)</style>
                </head>
                <body>
                <a class="skip" href="#findings">To the findings</a>
                <header>
                <h1>Report on your keychain</h1>
                <p>Made on \(day) by <code>llavero report</code>. It has no passwords, but it says which ones are weak: keep it to
                yourself, and remove it when you are done.</p>
                </header>
                <main>
                \(summary)
                \(charts)
                <section id="findings" aria-labelledby="findings-title" tabindex="-1">
                <h2 id="findings-title">Findings</h2>
                \(findings)
                </section>
                \(certificates)
                \(measure)
                </main>
                </body>
                </html>

                """
        }
    }

    private var day: String { SecurityReport.day(report.made) }

    private var summary: String {
        let keychains = report.protections.map { protection in
            let fix = protection.fix.map { ": <code>\(ReportPage.escaped($0))</code> sets one" } ?? ""
            return
                "<li>The keychain <bdi>\(ReportPage.escaped(protection.name))</bdi> \(ReportPage.escaped(protection.text))\(fix).</li>"
        }
        let counts = ReportText.counts(report).map { name, text in
            "<div><dt>\(ReportPage.escaped(name))</dt><dd>\(ReportPage.escaped(text))</dd></div>"
        }
        return """
            <section aria-labelledby="summary-title">
            <h2 id="summary-title">Summary</h2>
            <ul>
            \(keychains.joined(separator: "\n"))
            </ul>
            <dl>
            <div><dt>passwords</dt><dd>\(report.passwords), of which \(report.judged) were judged</dd></div>
            \(counts.joined(separator: "\n"))
            </dl>
            </section>
            """
    }

    private var charts: String {
        let year = 365.25 * 86_400
        let grades = PasswordStrength.Grade.allCases.map { grade in
            ReportChart.Bar(
                SecurityReport.word(for: grade), report.count(grade: grade), isBad: grade <= .weak)
        }
        let ages = report.subjects.filter { $0.item.itemClass.isPassword }.compactMap(\.changed).map {
            report.made - $0
        }
        let spans: [(String, Double, Double)] = [
            ("this year", -.infinity, 1), ("1 to 2 years", 1, 2), ("2 to 3 years", 2, 3), ("3 to 5 years", 3, 5),
            ("longer ago", 5, .infinity),
        ]
        let kinds = SecurityReport.Kind.allCases.map {
            ReportChart.Bar(ReportPage.title(of: $0), report.count($0), isBad: $0 != .notRead)
        }
        let ends = report.certificates.map { $0.end - report.made }
        let waits: [(String, Double, Double)] = [
            ("expired", -.infinity, 0), ("30 days", 0, 30 * 86_400), ("90 days", 30 * 86_400, 90 * 86_400),
            ("a year", 90 * 86_400, year), ("later", year, .infinity),
        ]
        var charts = [
            ReportChart("strength", "Passwords by strength", grades), ReportChart("kinds", "Items by finding", kinds),
            ReportChart(
                "age", "Passwords by their last change",
                spans.map { name, from, to in
                    ReportChart.Bar(name, ages.count { $0 >= from * year && $0 < to * year }, isBad: false)
                }),
        ]
        if !ends.isEmpty {
            charts.append(
                ReportChart(
                    "ends", "Certificates by the time that is left",
                    waits.map { name, from, to in
                        ReportChart.Bar(name, ends.count { $0 >= from && $0 < to }, isBad: to <= 30 * 86_400)
                    }))
        }
        return """
            <section aria-labelledby="charts-title">
            <h2 id="charts-title">Charts</h2>
            <div class="charts">
            \(charts.map(\.svg).joined(separator: "\n"))
            </div>
            </section>
            """
    }

    private var findings: String {
        let tables = SecurityReport.Kind.allCases.compactMap { kind in
            let rows = report.findings.filter { $0.kind == kind }
            return rows.isEmpty
                ? nil : table(kind.rawValue, ReportPage.title(of: kind), ReportPage.advice(on: kind), rows)
        }
        return tables.isEmpty ? "<p>Nothing was found.</p>" : tables.joined(separator: "\n")
    }

    private func table(
        _ id: String, _ title: String, _ advice: String, _ rows: [SecurityReport.Concern]
    ) -> String {
        let lines = rows.map { finding in
            let item = report.subjects[finding.subject].item
            let cells = [item.account, item.place, finding.detail].map {
                "<td><bdi>\(ReportPage.escaped($0))</bdi></td>"
            }
            return "<tr><th scope=\"row\"><bdi>\(ReportPage.escaped(item.name))</bdi></th>\(cells.joined())</tr>"
        }
        return """
            <h3 id="\(id)">\(title)</h3>
            <p>\(advice)</p>
            <div class="scroll" role="region" aria-labelledby="\(id)-caption" tabindex="0">
            <table>
            <caption id="\(id)-caption">\(title): \(rows.count)</caption>
            <thead><tr><th scope="col">Item</th><th scope="col">User</th><th scope="col">For</th><th scope="col">What</th></tr></thead>
            <tbody>
            \(lines.joined(separator: "\n"))
            </tbody>
            </table>
            </div>
            """
    }

    private var certificates: String {
        if report.certificates.isEmpty { return "" }
        let lines = report.certificates.map { certificate in
            let name = ReportPage.escaped(report.subjects[certificate.subject].item.name)
            return "<tr><th scope=\"row\"><bdi>\(name)</bdi></th><td>\(SecurityReport.day(certificate.end))</td></tr>"
        }
        return """
            <section aria-labelledby="certificates-title">
            <h2 id="certificates-title">All certificates</h2>
            <div class="scroll" role="region" aria-labelledby="certificates-caption" tabindex="0">
            <table>
            <caption id="certificates-caption">Certificates, the first to end first</caption>
            <thead><tr><th scope="col">Certificate</th><th scope="col">Valid until</th></tr></thead>
            <tbody>
            \(lines.joined(separator: "\n"))
            </tbody>
            </table>
            </div>
            </section>
            """
    }

    private var measure: String {
        """
        <section aria-labelledby="measure-title">
        <h2 id="measure-title">How this was judged</h2>
        <p>The strength of a password is an estimate of how many tries somebody needs who guesses cleverly: common passwords and
        words from short lists, names of the item and its user, sequences, rows of a keyboard, repetitions and dates first.
        Very weak is below 10<sup>6</sup> tries, weak below 10<sup>10</sup>, fair below 10<sup>14</sup>. Leaked passwords are not
        known to it, so a password that is not called weak may be weak too. Why one is weak is not said here: that would help
        who guesses.</p>
        <p>Reused means the same secret for another account. Plain text was looked for in known files only, and in the forms that
        they use; secrets of fewer than six bytes were not looked for. The day of the last change is the item's: whoever edits a note
        changes it, too. Items that demand a passcode or a finger each time were not read.</p>
        </section>
        """
    }

    static func title(of kind: SecurityReport.Kind) -> String {
        switch kind {
        case .weak: "Weak"
        case .reused: "Reused"
        case .exposed: "In plain text"
        case .expires: "Expiring"
        case .certificate: "Certificates that end"
        case .unprotected: "Unprotected"
        case .old: "Old"
        case .notRead: "Not read"
        }
    }

    private static func advice(on kind: SecurityReport.Kind) -> String {
        switch kind {
        case .weak:
            "Change them where they are used, then <code>llavero edit NAME</code>; <code>llavero generate</code> makes strong ones."
        case .reused: "Whoever learns one has the others of its group. Give each account a password of its own."
        case .exposed:
            "<code>llavero doctor</code> shows how to move them out of most of these files. Change the password then: backups may have the file."
        case .expires: "Renew them, then <code>llavero edit NAME --expires DATE</code>."
        case .certificate: "Renew them in time: who checks dates refuses them afterwards."
        case .unprotected: "They open without the passcode, or for any of your programs."
        case .old: "Change those that others may have seen meanwhile. Age alone makes no password weak."
        case .notRead:
            "They could not be judged. <code>llavero get NAME</code> reads one, and asks for what it demands."
        }
    }

    /// Text in HTML: what acts unseen is shown as an escape.
    static func escaped(_ text: String) -> String {
        var result = ""
        for letter in PlainText.shown(text).unicodeScalars {
            switch letter {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(letter)
            }
        }
        return result
    }

    private static let style = """
        :root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--quiet:#4b535d;--line:#c8ced6;--good:#1a63b0;--bad:#b3261e;--row:#f3f5f8}
        @media (prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e8eaed;--quiet:#b3bac4;--line:#3c444e;--good:#7cb7ff;--bad:#ff8a80;--row:#1d2228}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:68rem;padding:1rem;background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
        h1,h2,h3{line-height:1.2}
        h2{margin-top:2.5rem}
        p,li{max-width:46rem}
        code{font:0.95em ui-monospace,monospace}
        .skip{position:absolute;left:-99rem}
        .skip:focus{position:static}
        a{color:var(--good)}
        :focus-visible{outline:3px solid var(--good);outline-offset:2px}
        dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(18rem,1fr));gap:.25rem 2rem}
        dl div{border-bottom:1px solid var(--line);padding:.3rem 0}
        dt{font-weight:600}
        dd{margin:0;color:var(--quiet)}
        .charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr));gap:1.5rem}
        figure{margin:0}
        figcaption{font-weight:600}
        svg{width:100%;height:auto}
        svg text{fill:var(--ink);font:14px system-ui,sans-serif}
        .good{fill:var(--good)}
        .bad{fill:var(--bad)}
        .scroll{overflow-x:auto}
        table{border-collapse:collapse;width:100%}
        caption{text-align:left;color:var(--quiet);padding:.3rem 0}
        th,td{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem .4rem;border-bottom:1px solid var(--line);overflow-wrap:anywhere;font-weight:400;min-width:8rem}
        thead th{font-weight:600;overflow-wrap:normal}
        tbody tr:nth-child(even){background:var(--row)}
        @media print{.skip{display:none}body{max-width:none}}
        """
}

/// Horizontal bars with their numbers, as an image that says the same in words.
struct ReportChart {
    struct Bar {
        let name: String
        let count: Int
        /// Whether one would like to see none.
        let isBad: Bool

        init(_ name: String, _ count: Int, isBad: Bool) { (self.name, self.count, self.isBad) = (name, count, isBad) }
    }

    private let id: String
    private let title: String
    private let bars: [Bar]

    init(_ id: String, _ title: String, _ bars: [Bar]) { (self.id, self.title, self.bars) = (id, title, bars) }

    var svg: String {
        let most = max(1, bars.map(\.count).max() ?? 1)
        let lines = bars.enumerated().map { index, bar in
            let (top, width) = (28 * index, 250 * bar.count / most)
            let middle = top + 18
            // A thin line where there is one of thousands.
            let shown = bar.count > 0 ? max(2, width) : 0
            return """
                <text x="0" y="\(middle)">\(ReportPage.escaped(bar.name))</text>\
                <rect class="\(bar.isBad ? "bad" : "good")" x="150" y="\(top + 4)" width="\(shown)" height="20" rx="2"/>\
                <text x="\(158 + shown)" y="\(middle)">\(bar.count)</text>
                """
        }
        let words = bars.map { "\($0.name): \($0.count)" }.joined(separator: "; ")
        return """
            <figure>
            <figcaption>\(title)</figcaption>
            <svg viewBox="0 0 460 \(28 * bars.count)" role="img" aria-labelledby="\(id)-name \(id)-words">
            <title id="\(id)-name">\(title)</title>
            <desc id="\(id)-words">\(ReportPage.escaped(words))</desc>
            \(lines.joined(separator: "\n"))
            </svg>
            </figure>
            """
    }
}
