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
    private let now: Double

    init(_ items: [ToolItem]) throws(CommandError) {
        var links: [Link] = []
        for item in items {
            guard let der = try item.secretIfAny(),
                let certificate = Certificate(der: unsafe der.withUnsafeBytes { unsafe Array($0) })
            else { continue }
            links.append(Link(item: item, certificate: certificate))
        }
        self.links = links.sorted { ($0.item.name, $0.certificate.notAfter) < ($1.item.name, $1.certificate.notAfter) }
        now = Double(time(nil)) - 978_307_200
    }

    var entries: [BrowserEntry] {
        var entries: [BrowserEntry] = []
        var shown: Set<Int> = []
        func put(_ index: Int, _ depth: Int) {
            guard shown.insert(index).inserted else { return }
            entries.append(entry(index, depth))
            for below in links.indices where issuer(of: below) == index { put(below, depth + 1) }
        }
        for index in links.indices where issuer(of: index) == nil { put(index, 0) }
        // Those that issued each other in a ring begin nowhere.
        for index in links.indices { put(index, 0) }
        return entries
    }

    /// The certificate that issued one, among several the one that is valid for longest; nil for what issued itself.
    private func issuer(of index: Int) -> Int? {
        let certificate = links[index].certificate
        if certificate.issuer == certificate.subject { return nil }
        return links.indices.filter { $0 != index && links[$0].certificate.subject == certificate.issuer }
            .max { links[$0].certificate.notAfter < links[$1].certificate.notAfter }
    }

    private func entry(_ index: Int, _ depth: Int) -> BrowserEntry {
        let (item, certificate) = (links[index].item, links[index].certificate)
        let (state, style) = state(of: certificate)
        let branch = depth == 0 ? "" : String(repeating: "  ", count: depth - 1) + "└ "
        var fields: [BrowserField] = []
        var above = issuer(of: index)
        var passed: Set<Int> = [index]
        while let one = above, passed.insert(one).inserted {
            fields.append(
                BrowserField("issued by", "\(links[one].item.name), \(self.state(of: links[one].certificate).0)"))
            above = issuer(of: one)
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

    private func state(of certificate: Certificate) -> (String, ScreenStyle) {
        let days = Int((certificate.notAfter - now) / 86_400)
        if now > certificate.notAfter { return ("expired", .danger) }
        if now < certificate.notBefore { return ("not valid yet", .warning) }
        return days <= 30 ? ("\(days) day\(days == 1 ? "" : "s") left", .warning) : ("\(days) days left", .plain)
    }
}
