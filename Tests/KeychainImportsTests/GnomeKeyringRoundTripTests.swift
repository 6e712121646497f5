// SPDX-License-Identifier: Apache-2.0

import KeychainImports
import TestSeed
import Testing

@Suite("What the installed gnome-keyring stores")
struct GnomeKeyringRoundTripTests {
    @Test(
        "arbitrary secrets, labels and attributes come out as they went in", arguments: ["", "a password of ümlauts"])
    func roundTrip(password: String) throws {
        var seed = Seed(for: "GnomeKeyringRoundTripTests")
        try check(password, &seed)
    }

    @Test("secrets that look like the file's own lines come out whole", arguments: [162_971_729, 1_648_158_472])
    func found(number: UInt64) throws {
        var seed = Seed(number)
        try check("", &seed)
    }

    @Test(
        "forty items that differ in one attribute alone are forty items, with all their attributes",
        arguments: ["", "password"])
    func attributesAlone(password: String) throws {
        let items = (0..<40).map { number in
            KeyringScene.Item(
                "Network secret",
                [
                    "xdg:schema": "org.freedesktop.NetworkManager.Connection",
                    "setting-name": "802-11-wireless-security",
                    "setting-key": "psk", "connection-uuid": "u\(number)",
                ], Array("same".utf8))
        }
        let files = try KeyringScene.files(password: password, [items])
        let report = try read(files[0], as: .gnomeKeyring, password: password.isEmpty ? nil : password)
        #expect(report.items.count == 40 && report.skipped.isEmpty)
        let found = Set(report.items.map { Dictionary(uniqueKeysWithValues: $0.lookup.map { ($0.name, $0.value) }) })
        #expect(found == Set(items.map(\.attributes)))
    }

    private func check(_ password: String, _ seed: inout Seed) throws {
        let items = (0..<40).map { number in
            KeyringScene.Item(
                GnomeKeyringRoundTripTests.text(&seed),
                ["service": "s\(number)" + GnomeKeyringRoundTripTests.text(&seed), "account": "a\(number)"],
                GnomeKeyringRoundTripTests.secret(&seed))
        }
        // Of a text it may read a secret again, wrong, and write that with the next item: one item a file.
        let lists = password.isEmpty ? items.map { [$0] } : [items]
        let reports = try KeyringScene.files(password: password, lists).map { file in
            try read(file, as: .gnomeKeyring, password: password.isEmpty ? nil : password)
        }
        #expect(reports.map(\.items.count) == lists.map(\.count))
        for (number, item) in items.enumerated() {
            let found = reports.lazy.compactMap { $0.item("a\(number)") }.first
            let secret = found?.secret.array.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            #expect(secret == item.secret, "item \(number)")
            #expect(found?.label == item.label, "item \(number)")
            #expect(found?.kind == item.attributes["service"].map { .generic(service: $0) }, "item \(number)")
            #expect(found?.repairs.contains(.endGuessed) == false)
        }
        #expect(reports.allSatisfy { $0.skipped.isEmpty })
    }

    /// Text without control characters, which D-Bus and names take.
    private static func text(_ seed: inout Seed) -> String {
        let parts = ["a", " ", "\\n", "\n", ";", "=", "[1]", "é", "#", "\t", "\\", "🔑"]
        return (0..<Int(seed.next() % 6)).map { _ in seed.pick(parts) }.joined()
    }

    private static func secret(_ seed: inout Seed) -> [UInt8] {
        if seed.oneIn(4) { return (0..<Int(seed.next() % 40)).map { _ in UInt8(truncatingIfNeeded: seed.next()) } }
        let parts = [
            "x", "\n", "\n\n", "\\n", "\\", " ", "secret=", "mtime=12", "ctime=1", "[3]", "\n[3]\n", "#", "=", "\r\n",
            "é",
            "\n[1:attribute0]\n", "name=", "item-type=0\n", "-----BEGIN KEY-----\n",
        ]
        return Array((0..<Int(seed.next() % 12)).map { _ in seed.pick(parts) }.joined().utf8)
    }
}
