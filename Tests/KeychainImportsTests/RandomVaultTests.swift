// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainImports
import TestSeed
import TestVaults
import Testing

/// In = kept + named, for stores that were made up.
///
/// `ImportedVaultTests` brings the same into a keychain.
@Suite("Nothing is dropped")
struct RandomVaultTests {
    @Test("KeePass, XML", arguments: 0..<10)
    func keepassXML(round: Int) throws {
        var seed = Seed(for: "RandomVaultTests keepassXML \(round)")
        try check(RandomVault.keepassXML(60, &seed), .keepassXML)
    }

    @Test("KeePass, CSV", arguments: 0..<10)
    func keepassCSV(round: Int) throws {
        var seed = Seed(for: "RandomVaultTests keepassCSV \(round)")
        try check(RandomVault.keepassCSV(60, &seed), .keepassCSV)
    }

    @Test("gnome-keyring", arguments: 0..<10)
    func keyring(round: Int) throws {
        var seed = Seed(for: "RandomVaultTests keyring \(round)")
        let vault = RandomVault.keyring(60, &seed)
        try check(vault, .gnomeKeyring)
        let report = try read(vault.bytes, as: .gnomeKeyring)
        #expect(report.items.allSatisfy { $0.lookup.contains { $0.name == "connection-uuid" } })
        for item in report.items {
            let text = SourceAttributes.text(of: item.lookup)
            #expect(SourceAttributes.attributes(in: text).map(Set.init) == Set(item.lookup))
        }
    }

    @Test("Bitwarden", arguments: 0..<4)
    func bitwarden(round: Int) throws {
        var seed = Seed(for: "RandomVaultTests bitwarden \(round)")
        try check(RandomVault.bitwarden(60, &seed), .bitwarden)
    }

    @Test("1Password", arguments: 0..<4)
    func onePassword(round: Int) throws {
        var seed = Seed(for: "RandomVaultTests onePassword \(round)")
        try check(RandomVault.onePassword(60, &seed), .onePassword)
    }

    private func check(_ vault: RandomVault, _ format: ImportFormat) throws {
        let report = try read(vault.bytes, as: format)
        let found = report.items.flatMap { item in
            [RandomVault.Piece(item.label, item.account, item.secret.array)]
                + item.furtherSecrets.map {
                    RandomVault.Piece("\(item.label) (\($0.name))", item.account, $0.value.array)
                }
        }
        #expect(found.sorted() == vault.pieces.sorted())
        #expect(report.countLeftOut == vault.leftOut)
        let shown = Set(report.items.flatMap(\.attributes).map(\.value))
        #expect(vault.shown.allSatisfy(shown.contains))
    }

    @Test("pass: every line of a file is in one of its items, as it was")
    func pass() {
        var seed = Seed(for: "RandomVaultTests pass")
        for _ in 0..<2000 {
            let bytes = RandomVault.passEntry(&seed)
            for reading in [PassReading.byContent, .firstLine, .wholeFile] {
                var options = ImportOptions()
                options.passReading = reading
                let item = PassEntry.item(ImportedBytes(bytes), name: "n", SourceLocation("n.gpg"), options)
                if item.repairs == [.wholeFile] {
                    #expect(item.secret.array == bytes && reading != .firstLine)
                    continue
                }
                var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
                #expect(item.secret.array == lines.removeFirst())
                let rest = item.furtherSecrets.map(\.value.array)
                for line in lines where line.contains(where: { ![9, 13, 32].contains($0) }) {
                    let text = String(decoding: line, as: UTF8.self)
                    let value = text.split(separator: ":", maxSplits: 1).last.map {
                        $0.trimmingCharacters(in: .whitespacesAndNewlines)
                    }
                    let isKnown = value == item.account || value == item.attribute("url")
                    #expect(
                        isKnown || rest.contains { $0.split(separator: 0x0A).map(Array.init).contains(line) }
                            || rest.contains(Array((value ?? "").utf8)), "\(text.debugDescription)")
                }
            }
        }
    }
}

extension ImportReport {
    /// How many things it names as left out.
    var countLeftOut: Int {
        findings.reduce(0) { sum, finding in
            switch finding.matter {
            case .skipped: sum + 1
            case .left(_, let count): sum + count
            case .repaired: sum
            }
        }
    }
}
