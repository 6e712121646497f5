// SPDX-License-Identifier: Apache-2.0

import KeychainImports
import TestSeed
import Testing

/// A file of many items, and where each of them is in it.
struct ManyItems {
    var bytes: [UInt8]
    var items: [(range: Range<Int>, account: String, secret: String)] = []

    /// Between `head` and `tail`, the items that `text` makes of an account and a secret; each ends with a newline that is
    /// not its own.
    init(_ count: Int, _ head: String, _ tail: String, _ seed: inout Seed, _ text: (String, String) -> String) {
        bytes = Array(head.utf8)
        for number in 0..<count {
            let account = "account\(number)"
            let secret =
                "secret\(number)" + (0..<Int(seed.next() % 8)).map { _ in seed.pick(["q", "7", "-", "_"]) }.joined()
            let start = bytes.count
            bytes += Array(text(account, secret).utf8)
            items.append((start..<bytes.count, account, secret))
            bytes.append(0x0A)
        }
        bytes += Array(tail.utf8)
    }

    /// The same with up to three changes inside of one item.
    func damaged(_ item: Int, _ seed: inout Seed) -> [UInt8] {
        var part = Array(bytes[items[item].range])
        for _ in 0...(seed.next() % 3) where !part.isEmpty {
            let place = Int(seed.next() % UInt64(part.count))
            switch seed.next() % 4 {
            case 0: part[place] ^= UInt8(1 << (seed.next() % 8))
            case 1: part.insert(seed.pick(Array("\"'<>&#=[]:\\/@% \n\r\0;,".utf8) + [0xFF]), at: place)
            case 2: part.removeSubrange(place..<min(part.count, place + 1 + Int(seed.next() % 4)))
            default: part[place] = seed.pick(Array("\"'<>&#=[]:\\/@% \n\0,".utf8))
            }
        }
        return bytes[..<items[item].range.lowerBound] + part + bytes[items[item].range.upperBound...]
    }
}

@Suite("Damage to one item")
struct DamageTests {
    @Test(
        "loses no other",
        arguments: [
            ImportFormat.llavero, .gnomeKeyring, .keepassCSV, .table, .keepassXML, .netrc, .gitCredentials,
            .macKeychain,
        ])
    func one(format: ImportFormat) throws {
        var seed = Seed(for: "DamageTests \(format.name)")
        let many = try DamageTests.file(format, &seed)
        let whole = try read(many.bytes, as: format)
        #expect(whole.items.map(\.account) + whole.exported.map(\.account) == many.items.map(\.account))
        for round in 0..<600 {
            let item = Int(seed.next() % UInt64(many.items.count))
            let damaged = many.damaged(item, &seed)
            let report = try read(damaged, as: format)
            let found = Set(
                report.items.map { "\($0.account) \($0.secret.string)" }
                    + report.exported.map { "\($0.account) \($0.secret?.string ?? "")" })
            let lost = many.items.indices.filter { index in
                index != item && !found.contains("\(many.items[index].account) \(many.items[index].secret)")
            }
            guard lost.isEmpty else {
                Issue.record("round \(round): damage to \(item) loses \(lost): \(text(damaged, many, item))")
                return
            }
        }
    }

    @Test("anywhere, and files cut anywhere, end in a report or an error", arguments: ImportFormat.allCases)
    func anywhere(format: ImportFormat) throws {
        guard !format.isFolder else { return }
        var seed = Seed(for: "DamageTests anywhere \(format.name)")
        let bytes = try DamageTests.file(format, &seed).bytes
        for _ in 0..<100 {
            var changed = Array(bytes[..<Int(seed.next() % UInt64(bytes.count))])
            for _ in 0..<(seed.next() % 8) where !changed.isEmpty {
                changed[Int(seed.next() % UInt64(changed.count))] = UInt8(truncatingIfNeeded: seed.next())
            }
            for format in ImportFormat.allCases where !format.isFolder {
                _ = try? read(changed, as: format, password: "x")
                _ = ImportFile(name: ".netrc", content: ImportedBytes(changed)).detectedFormat
            }
        }
    }

    private func text(_ bytes: [UInt8], _ many: ManyItems, _ item: Int) -> String {
        let range = many.items[item].range
        return String(
            decoding: bytes[max(0, range.lowerBound - 20)..<min(bytes.count, range.upperBound + 60)], as: UTF8.self
        )
        .debugDescription
    }

    private static func file(_ format: ImportFormat, _ seed: inout Seed) throws -> ManyItems {
        var number = 0
        switch format {
        case .kwallet:
            var many = ManyItems(0, "", "", &seed) { _, _ in "" }
            many.bytes = try ImportFile(path: fixture("old-16.kwl")).content.array
            return many
        case .gnomeKeyring:
            return ManyItems(8, "[keyring]\ndisplay-name=x\nctime=1\nmtime=1\n\n", "", &seed) { account, secret in
                number += 1
                return
                    "[\(number)]\nitem-type=0\ndisplay-name=x\nsecret=\(secret)\nmtime=1790000000\nctime=1790000000\n\n"
                    + "[\(number):attribute0]\nname=account\ntype=string\nvalue=\(account)\n"
            }
        case .kdbx, .onePassword:
            var many = ManyItems(0, "", "", &seed) { _, _ in "" }
            many.bytes = try ImportFile(path: fixture(format == .kdbx ? "aes-kdf.kdbx" : "export.1pux")).content.array
            return many
        case .bitwarden:
            return ManyItems(8, "{\"encrypted\":false,\"items\":[\n", "]}\n", &seed) { account, secret in
                number += 1
                return
                    "{\"type\":1,\"name\":\"n\",\"login\":{\"username\":\"\(account)\",\"password\":\"\(secret)\"}}"
                    + (number < 8 ? "," : "")
            }
        case .oneTimeCodes:
            var many = ManyItems(0, "", "", &seed) { _, _ in "" }
            many.bytes = Array(OneTimeCodeURLTests.parts.joined(separator: "\n").utf8)
            return many
        case .table:
            return ManyItems(8, "name,url,username,password\n", "", &seed) { account, secret in
                "t,https://x.example/,\"\(account)\",\"\(secret)\""
            }
        case .keepassCSV:
            return ManyItems(8, "\"Group\",\"Title\",\"Username\",\"Password\",\"URL\"\n", "", &seed) {
                account, secret in
                "\"Root\",\"t\",\"\(account)\",\"\(secret)\",\"\""
            }
        case .keepassXML:
            let head = "<?xml version=\"1.0\"?>\n<KeePassFile>\n<Root><Group><UUID>AA==</UUID><Name>R</Name>\n"
            return ManyItems(8, head, "</Group></Root>\n</KeePassFile>\n", &seed) { account, secret in
                let strings =
                    "<String><Key>UserName</Key><Value>\(account)</Value></String>"
                    + "<String><Key>Password</Key><Value ProtectInMemory=\"True\">\(secret)</Value></String>"
                return "<Entry>\n<UUID>AA==</UUID>\(strings)\n<History><Entry>\(strings)</Entry></History>\n</Entry>"
            }
        case .llavero:
            return ManyItems(8, "{\"llavero\":2,\"items\":[\n", "]}\n", &seed) { account, secret in
                number += 1
                return
                    "{\"name\":\"n\",\"kind\":\"password\",\"user\":\"\(account)\",\"group\":\"llavero.passwords\","
                    + "\"protection\":\"when-unlocked\",\"secret\":\"\(secret)\"}\(number < 8 ? "," : "")"
            }
        case .netrc:
            return ManyItems(8, "# mine\n", "", &seed) { account, secret in
                number += 1
                let word = number % 2 == 0 ? "\"\(secret)\"" : secret
                return "machine h\(number)\(number % 3 == 0 ? "\n" : " ")login \(account) password \(word)"
            }
        case .macKeychain:
            return ManyItems(8, "", "", &seed) { account, secret in
                "keychain: \"/k\"\nversion: 512\nclass: \"genp\"\nattributes:\n    0x00000007 <blob>=\"l\"\n"
                    + "    \"acct\"<blob>=\"\(account)\"\n    \"svce\"<blob>=\"s\"\ndata:\n\"\(secret)\""
            }
        case .gitCredentials, .pass:
            return ManyItems(8, "", "", &seed) { account, secret in "https://\(account):\(secret)@example.org/p" }
        }
    }
}
