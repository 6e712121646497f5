// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools
internal import TestSeed
internal import TestVaults
internal import Testing

/// Stores that were made up, brought into a keychain by `llavero import`.
@Suite("every entry of a source is an item, or is named") struct ImportedVaultTests {
    private let scene: ToolScene

    init() throws { scene = try ToolScene() }

    private func keychain() throws -> ToolKeychain {
        let keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        if try !keychain.isThere { _ = try keychain.host.create(in: .software, makesRecoveryKey: false) }
        return keychain
    }

    /// All items, with their secrets and those attributes that no name tells.
    private func items() throws -> [(piece: RandomVault.Piece, generic: [UInt8], comment: String)] {
        var items: [(piece: RandomVault.Piece, generic: [UInt8], comment: String)] = []
        var (accounts, owners): ([String: String], [Int: String]) = ([:], [:])
        for itemClass in [ItemClass.genericPassword, .internetPassword] {
            let predicate = ItemPredicate(
                queriedClass: .stored(itemClass), attributes: AttributeList(), groups: .everyGroupOfCaller,
                synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
            let found = try keychain().match(
                MatchRequest(predicate: predicate, returning: [.attributes, .data], limit: .all), of: .everybody)
            for case .item(let item) in found {
                func text(_ attribute: Attribute) -> String {
                    if case .string(let text)? = item.attributes?[attribute] { text } else { "" }
                }
                let secret = item.secret.map { secret in secret.withUnsafeBytes { Array($0) } }
                let piece = RandomVault.Piece(text(.label), text(.account), secret ?? [])
                var generic: [UInt8] = []
                if case .data(let bytes)? = item.attributes?[.generic] { generic = bytes }
                // What belongs to an item names it by this, and has its user from it.
                for line in text(.protected).split(separator: "\n") where line.hasPrefix("id=") {
                    accounts[String(line.dropFirst(3))] = text(.account)
                }
                if text(.service).hasPrefix("llavero.of.") {
                    owners[items.count] = String(text(.service).dropFirst(11))
                }
                items.append((piece, generic, text(.comment)))
            }
        }
        for (index, owner) in owners {
            let piece = items[index].piece
            items[index].piece = RandomVault.Piece(piece.name, try #require(accounts[owner]), piece.secret)
        }
        return items
    }

    private func bring(_ vault: RandomVault, _ name: String, _ format: String) throws {
        try Data(vault.bytes).write(to: URL(fileURLWithPath: scene.file(name)))
        _ = try keychain()
        func sum(_ answer: ToolScene.Answer) -> String {
            // The list of kinds, and how many were changed, stand in between.
            answer.complaint.split(separator: "\n").first.map(String.init)?.replacing(
                #/\x20\([0-9]+\x20[^)]*\)|,\x20[0-9]+\x20changed/#, with: "") ?? ""
        }
        let trial = try scene.tool("import", name, "--dry-run", "--plain")
        #expect(
            sum(trial)
                == "llavero: \(vault.pieces.count) would be kept, 0 here already, \(vault.leftOut) left out (\(format))"
        )
        #expect(try items().isEmpty)
        let imported = try scene.tool("import", name, "--plain")
        #expect(
            sum(imported)
                == "llavero: \(vault.pieces.count) kept, 0 here already, \(vault.leftOut) left out (\(format))")
        // A field that is called as what every item has gets another name here.
        let words = ["url", "note", "code", "password"]
        let pieces = vault.pieces.map { piece in
            let word = words.first { piece.name.hasSuffix(" (\($0))") }
            let name = word.map { piece.name.dropLast($0.count + 1) + "\($0) (field))" } ?? piece.name
            return RandomVault.Piece(name, piece.account, piece.secret)
        }
        #expect(try items().map(\.piece).sorted() == pieces.sorted())
        let again = try scene.tool("import", name, "--plain")
        #expect(
            sum(again) == "llavero: 0 kept, \(vault.pieces.count) here already, \(vault.leftOut) left out (\(format))")
        #expect(try items().count == vault.pieces.count)
        // Of a source that says what it said there is nothing to take over.
        let updated = try scene.tool("import", name, "--update", "--plain")
        #expect(
            sum(updated) == "llavero: 0 kept, \(vault.pieces.count) here already, \(vault.leftOut) left out (\(format))"
        )
        #expect(!updated.output.contains("here alone"))
        #expect(try items().map(\.piece).sorted() == pieces.sorted())
        #expect(try scene.tool("check").code == 0)
    }

    @Test("an update keeps, takes over or names each row of a table, and takes nothing away")
    func updates() throws {
        var seed = Seed(for: "ImportedVaultTests updates")
        func rows() -> [[String]] {
            (0..<60).map { _ in
                ["name\(Int.random(in: 0..<16, using: &seed))", "user\(Int.random(in: 0..<3, using: &seed))"]
                    + ["p\(Int.random(in: 0..<4, using: &seed))"]
            }
        }
        _ = try keychain()
        for round in 0..<4 {
            let rows = rows()
            let text = (["Title,Username,Password"] + rows.map { $0.joined(separator: ",") }).joined(separator: "\n")
            try Data(text.utf8).write(to: URL(fileURLWithPath: scene.file("table.csv")))
            let before = try items().count
            let answer = try scene.run(
                ToolScene.built("llavero"),
                ["import", "table.csv", "--json"] + (round == 0 ? [] : ["--update-all", "--yes"]))
            let lines = try #require(
                try JSONSerialization.jsonObject(with: Data(answer.output.utf8)) as? [[String: String]])
            let alone = lines.filter { $0["result"] == "here alone" }.map { "\($0["name"] ?? "") \($0["user"] ?? "")" }
            #expect(lines.count - alone.count == rows.count)
            let now = try items().map(\.piece)
            // Of one name and user so many as there are more here than in the source.
            var rest = Dictionary(grouping: rows) { "\($0[0]) \($0[1])" }.mapValues(\.count)
            let gone = now.map { "\($0.name) \($0.account)" }.filter { name in
                rest[name, default: 0] -= 1
                return rest[name, default: 0] < 0
            }
            #expect(round == 0 ? alone.isEmpty : alone.sorted() == gone.sorted())
            #expect(now.count == before + lines.count { $0["result"] == "kept" })
            for row in rows {
                let namesakes = rows.count { $0[0] == row[0] && $0[1] == row[1] }
                let isThere = now.contains { item in
                    item.name == row[0] && item.account == row[1] && item.secret == Array(row[2].utf8)
                }
                let isNamed = lines.contains {
                    $0["result"] == "left out" && $0["name"] == row[0] && $0["user"] == row[1]
                }
                #expect(isThere || isNamed)
                // Where it can tell which item that is, the item says what the source does.
                let others = now.count { $0.name == row[0] && $0.account == row[1] }
                if namesakes == 1, others == 1 { #expect(isThere) }
            }
        }
    }

    @Test("KeePass, XML") func keepassXML() throws {
        var seed = Seed(for: "ImportedVaultTests keepassXML")
        try bring(RandomVault.keepassXML(40, &seed), "export.xml", "keepass-xml")
    }

    @Test("Bitwarden") func bitwarden() throws {
        var seed = Seed(for: "ImportedVaultTests bitwarden")
        try bring(RandomVault.bitwarden(40, &seed), "export.json", "bitwarden-json")
    }

    @Test("1Password") func onePassword() throws {
        var seed = Seed(for: "ImportedVaultTests onePassword")
        try bring(RandomVault.onePassword(40, &seed), "export.1pux", "1pux")
    }

    @Test("KeePass, CSV") func keepassCSV() throws {
        var seed = Seed(for: "ImportedVaultTests keepassCSV")
        try bring(RandomVault.keepassCSV(40, &seed), "export.csv", "keepass-csv")
    }

    @Test("KeePass, a database that keepassxc-cli has made of a random vault, and opens") func keePassXC() throws {
        var seed = Seed(for: "ImportedVaultTests keePassXC")
        let vault = RandomVault.keepassXML(40, &seed)
        try Data(vault.bytes).write(to: URL(fileURLWithPath: scene.file("export.xml")))
        _ = try keychain()
        let made = try scene.run(
            "/bin/sh",
            [
                "-c",
                "printf 'pw\\npw\\n' | keepassxc-cli import -q -t 100 -p export.xml book.kdbx && printf 'pw\\n' | keepassxc-cli export -q book.kdbx > again.xml",
            ])
        #expect(made.code == 0)
        // Version 3.1 with Salsa20. What is inside is read as the export that it prints.
        let tool = try ToolScene.built("llavero")
        let imported = try scene.run(
            "/bin/sh", ["-c", "printf 'pw\\n' | \"$0\" import book.kdbx --fd 0 --plain", tool])
        #expect(imported.complaint.hasPrefix("llavero: keepassxc-cli has opened it, since OpenSSL here cannot\n"))
        let again = try scene.tool("import", "again.xml", "--plain")
        let number = imported.complaint.split(separator: "\n").dropFirst().first?.split(separator: " ").dropFirst()
            .first
        #expect(again.complaint.hasPrefix("llavero: 0 kept, \(number ?? "") here already"))
        // KeePassXC gives groups other identifiers, so that the recycle bin is a group as any other, and drops empty files.
        let kept = Set(try items().map(\.piece))
        #expect(vault.pieces.filter { !kept.contains($0) && !$0.secret.isEmpty } == [])
    }

    @Test("gnome-keyring") func keyring() throws {
        var seed = Seed(for: "ImportedVaultTests keyring")
        let vault = RandomVault.keyring(40, &seed)
        try bring(vault, "made.keyring", "gnome-keyring")
        for item in try items() {
            let kept = item.generic.isEmpty ? item.comment : String(decoding: item.generic, as: UTF8.self)
            #expect(kept.contains("connection-uuid=uuid ") && kept.contains("setting-key=psk\n"))
        }
    }

    @Test("forty items that differ in one attribute alone are forty items, and stay so") func attributesAlone() throws {
        var text = "[keyring]\n"
        for number in 1...40 {
            text += "\n[\(number)]\nitem-type=0\ndisplay-name=w\nsecret=s\nmtime=1\nctime=1\n"
            text += "\n[\(number):attribute0]\nname=uuid\ntype=string\nvalue=\(number)\n"
        }
        try scene.write(text, to: "w.keyring")
        _ = try keychain()
        let first = try scene.tool("import", "w.keyring")
        #expect(first.complaint == "llavero: 40 kept, 0 here already, 0 left out (gnome-keyring)\n")
        #expect(first.code == 0)
        #expect(try Set(items().map(\.generic)).count == 40)
        // What was exported comes back with them told apart as they were.
        #expect(try scene.tool("export", "out.json").code == 0)
        let back = try scene.tool("import", "out.json")
        #expect(back.complaint == "llavero: 0 kept, 40 here already, 0 left out (llavero-json)\n")
        try keychain().remove()
        _ = try keychain()
        #expect(try scene.tool("import", "out.json").code == 0)
        let again = try scene.tool("import", "w.keyring")
        #expect(again.complaint == "llavero: 0 kept, 40 here already, 0 left out (gnome-keyring)\n")
    }

    @Test("twenty thousand entries in groups of a megabyte of names take no more memory than a keychain does")
    func largeGroups() throws {
        let names = (0..<20).map { _ in String(repeating: "g", count: 50_000) }
        var text = "<KeePassFile><Root>" + names.map { "<Group><Name>\($0)</Name>" }.joined()
        let entry =
            "<Entry><String><Key>Title</Key><Value>t</Value></String><String><Key>Password</Key><Value>p</Value></String></Entry>"
        text += String(repeating: entry, count: 20_000)
        text += String(repeating: "</Group>", count: 20) + "</Root></KeePassFile>"
        try scene.write(text, to: "large.xml")
        let tool = try ToolScene.built("llavero")
        let answer = try scene.run(
            "/bin/sh", ["-c", "ulimit -d 200000; exec \"$0\" import large.xml --dry-run --plain", tool])
        #expect(
            answer.complaint.hasPrefix(
                "llavero: 20000 would be kept, 0 here already, 20000 changed, 0 left out (keepass-xml)\n"))
        #expect(answer.code == 0)
    }
}
