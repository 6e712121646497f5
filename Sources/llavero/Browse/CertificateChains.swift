// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBrowser
internal import KeychainCertificates
internal import KeychainModel
internal import KeychainTools
internal import SecurityTool

/// Certificates as the browser lists them: each below the one that issued it, as far as that is in the keychain.
struct CertificateChains {
    static let columns = ["NAME", "EXPIRES", "STATE", "GROUP"]

    private struct Link {
        let item: ToolItem
        let certificate: Certificate
    }

    private let links: [Link]
    /// Of each the certificate that issued it, among several the one that is valid for longest; nil for what issued itself.
    private let issuers: [Int?]
    private let now: Double

    init(_ items: [ToolItem]) throws(CommandError) {
        var links: [Link] = []
        for item in items {
            guard let der = try item.secretIfAny(),
                let certificate = Certificate(der: unsafe der.withUnsafeBytes { unsafe Array($0) })
            else { continue }
            links.append(Link(item: item, certificate: certificate))
        }
        links.sort { ($0.item.name, $0.certificate.notAfter) < ($1.item.name, $1.certificate.notAfter) }
        var named: [DistinguishedName: Int] = [:]
        for (index, link) in links.enumerated() {
            let certificate = link.certificate
            if let other = named[certificate.subject], links[other].certificate.notAfter > certificate.notAfter {
                continue
            }
            named[certificate.subject] = index
        }
        issuers = links.map { link in
            link.certificate.issuer == link.certificate.subject ? nil : named[link.certificate.issuer]
        }
        self.links = links
        now = Double(time(nil)) - 978_307_200
    }

    var entries: [BrowserEntry] {
        var entries: [BrowserEntry] = []
        var shown: Set<Int> = []
        var below: [Int: [Int]] = [:]
        for (index, issuer) in issuers.enumerated() {
            if let issuer { below[issuer, default: []].append(index) }
        }
        func put(_ index: Int, _ depth: Int) {
            // No stack of calls: who fills a keychain says how long a chain is.
            var rest = [(index, depth)]
            while let (index, depth) = rest.popLast() {
                guard shown.insert(index).inserted else { continue }
                entries.append(entry(index, depth))
                rest += (below[index] ?? []).reversed().map { ($0, depth + 1) }
            }
        }
        for index in links.indices where issuers[index] == nil { put(index, 0) }
        // Those that issued each other in a ring begin nowhere.
        for index in links.indices { put(index, 0) }
        return entries
    }

    private func entry(_ index: Int, _ depth: Int) -> BrowserEntry {
        let (item, certificate) = (links[index].item, links[index].certificate)
        let (state, style) = state(of: certificate)
        let branch = depth == 0 ? "" : String(repeating: "  ", count: min(depth, CertificateChains.longest) - 1) + "└ "
        var fields: [BrowserField] = []
        var above = issuers[index]
        var passed: Set<Int> = [index]
        // A longer chain is no authority's.
        while let one = above, passed.count <= CertificateChains.longest, passed.insert(one).inserted {
            fields.append(
                BrowserField("issued by", "\(links[one].item.name), \(self.state(of: links[one].certificate).0)"))
            above = issuers[one]
        }
        if fields.isEmpty, certificate.issuer != certificate.subject {
            fields.append(BrowserField("issued by", "an authority that is not in the keychain"))
        }
        fields += CertificateDescription.lines(certificate.der).map { BrowserField($0.name, $0.text) }
        fields.append(BrowserField("group", item.group))
        fields.append(BrowserField("id", item.identifier))
        return BrowserEntry(
            number: nil, cells: [branch + item.name, PastItem.date(certificate.notAfter), state, item.group],
            style: style,
            fields: [BrowserField("state", state)] + fields)
    }

    private static let longest = 16

    private func state(of certificate: Certificate) -> (String, ScreenStyle) {
        let days = Int((certificate.notAfter - now) / 86_400)
        if now > certificate.notAfter { return ("expired", .danger) }
        if now < certificate.notBefore { return ("not valid yet", .warning) }
        return days <= 30 ? ("\(days) day\(days == 1 ? "" : "s") left", .warning) : ("\(days) days left", .plain)
    }
}
