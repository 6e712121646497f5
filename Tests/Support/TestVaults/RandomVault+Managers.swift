// SPDX-License-Identifier: Apache-2.0

package import TestSeed

/// What Bitwarden and 1Password export.
extension RandomVault {
    /// Names of fields, among them some that mean something else of every item here.
    private static let fields = ["PIN", "url", "note", "code", "password", "é \"q\""]

    /// Logins, notes, cards, identities and SSH keys, with fields, addresses, folders, the trash, earlier passwords.
    package static func bitwarden(_ count: Int, _ seed: inout Seed) -> RandomVault {
        var vault = RandomVault()
        var items: [String] = []
        for number in 0..<count {
            let (name, password) = (seed.pick(names), secret(&seed))
            let type = 1 + Int(seed.next() % 5)
            let user = type == 1 || type == 4 ? seed.pick(users) : ""
            var entry = Made(name, user)
            var own: [String]
            switch type {
            case 1:
                entry.password = password
                own = [member("username", user), member("password", password)]
                if seed.oneIn(3) {
                    own.append(member("totp", "otpauth://totp/\(number)"))
                    entry.add("otp", "otpauth://totp/\(number)")
                }
                let others = (0..<(seed.next() % 3)).map { "https://\(number).example/\($0)" }
                own.append(
                    "\"uris\":[{\"uri\":\"https://example.org/in?x=1\"}\(others.map { ",{\(member("uri", $0))}" }.joined())]"
                )
                vault.shown += others
            case 2:
                entry.password = password
                own = ["\"type\":0"]
            case 3:
                entry.password = password
                own = [member("number", password), member("code", "c\(number)"), member("brand", "b\(number)")]
                entry.add("code", "c\(number)")
                vault.shown.append("b\(number)")
            case 4:
                own = [member("username", user), member("ssn", "s\(number)"), member("firstName", "f\(number)")]
                entry.add("ssn", "s\(number)")
                vault.shown.append("f\(number)")
            default:
                entry.password = password
                own = [member("privateKey", password), member("publicKey", "k\(number)")]
                vault.shown.append("k\(number)")
            }
            let part = ["login", "secureNote", "card", "identity", "sshKey"][type - 1]
            var members = ["\"type\":\(type)", member("name", name), "\"\(part)\":{\(own.joined(separator: ","))}"]
            members.append(
                type == 2 ? member("notes", password) : seed.oneIn(2) ? member("notes", "one\ntwo") : "\"notes\":null")
            var list: [String] = []
            for place in 0..<(seed.next() % 4) {
                let (field, isHidden) = (seed.pick(fields), seed.oneIn(2))
                let value = "\(number) \(place) \(secret(&seed))"
                list.append("{\(member("name", field)),\(member("value", value)),\"type\":\(isHidden ? 1 : 0)}")
                if isHidden { entry.add(field, value) } else { vault.shown.append(value) }
            }
            members.append("\"fields\":[\(list.joined(separator: ","))]")
            let versions = Int(seed.next() % 3)
            let old = Array(repeating: "{\(member("password", "old"))}", count: versions)
            members.append("\"passwordHistory\":[\(old.joined(separator: ","))]")
            let isGone = seed.oneIn(5)
            members.append("\"deletedDate\":\(isGone ? "\"2026-01-01T00:00:00Z\"" : "null")")
            items.append("{\(members.joined(separator: ","))}")
            vault.take(entry, versions: versions, isGone: isGone)
        }
        vault.bytes = Array("{\"encrypted\":false,\"folders\":[],\"items\":[\(items.joined(separator: ","))]}".utf8)
        return vault
    }

    /// Logins and what has sections, in several vaults, with files; some of these are missing, or nobody's.
    package static func onePassword(_ count: Int, _ seed: inout Seed) -> RandomVault {
        var vault = RandomVault()
        var (vaults, files) = (["", ""], [(name: String, content: [UInt8])]())
        for number in 0..<count {
            let (name, user, password) = (seed.pick(names), seed.pick(users), secret(&seed))
            var entry = Made(name, user)
            entry.password = password
            // What is no login has user and password in its sections.
            let isLogin = !seed.oneIn(3)
            let login =
                !isLogin
                ? []
                : [
                    "{\(member("value", user)),\"designation\":\"username\",\"fieldType\":\"T\"}",
                    "{\(member("value", password)),\"designation\":\"password\",\"fieldType\":\"P\"}",
                ]
            var list: [String] = []
            let section = seed.pick(["", "More"])
            for place in 0..<(seed.next() % 4) {
                let (field, value) = (seed.pick(fields), "\(number) \(place) \(secret(&seed))")
                let title = section.isEmpty ? field : "\(section): \(field)"
                var kind = member("string", value)
                switch seed.next() % 4 {
                case 0:
                    kind = member("concealed", value)
                    entry.add(title, value)
                case 1:
                    let (file, id) = ("f\(place).bin", "d\(number)n\(place)")
                    kind = "\"file\":{\(member("fileName", file)),\(member("documentId", id))}"
                    let content = binary(&seed)
                    if seed.oneIn(6) {
                        entry.lost += 1
                    } else {
                        files.append(("files/\(id)__\(file)", content))
                        entry.add(file, bytes: content)
                    }
                default: vault.shown.append(value)
                }
                list.append("{\(member("title", field)),\"id\":\"i\",\"value\":{\(kind)}}")
            }
            if !isLogin {
                let fields = [("username", "string", user), ("password", "concealed", password)].map {
                    id, kind, value in
                    "{\(member("title", id)),\(member("id", id)),\"value\":{\(member(kind, value))}}"
                }
                list.insert(contentsOf: fields, at: Int(seed.next() % UInt64(list.count + 1)))
            }
            let versions = Int(seed.next() % 3)
            let old = Array(repeating: "{\(member("value", "old"))}", count: versions)
            let isGone = seed.oneIn(5)
            vaults[Int(seed.next() % 2)] += """
                {"uuid":"u\(number)","state":"\(isGone ? "trashed" : "active")","categoryUuid":"\(isLogin ? "001" : "110")",
                "overview":{\(member("title", name)),"url":"https://example.org/in?x=1"},
                "details":{"loginFields":[\(login.joined(separator: ","))],\(member("notesPlain", seed.pick(["", "one\ntwo"]))),
                "sections":[{\(member("title", section)),"fields":[\(list.joined(separator: ","))]}],
                "passwordHistory":[\(old.joined(separator: ","))]}},
                """
            vault.take(entry, versions: versions, isGone: isGone)
        }
        files.append(("files/nobody__orphan.bin", [1, 2, 3]))
        vault.leftOut += 1
        let texts = vaults.enumerated().map { number, items in
            "{\"attrs\":{\"name\":\"v\(number)\"},\"items\":[\(items.dropLast())]}"
        }
        let data = "{\"accounts\":[{\"attrs\":{},\"vaults\":[\(texts.joined(separator: ","))]}]}"
        vault.bytes = zip([("export.attributes", Array("{}".utf8)), ("export.data", Array(data.utf8))] + files)
        return vault
    }

    /// An entry, and what has to become of it.
    private struct Made {
        let name: String
        let user: String
        var password = ""
        var parts: [Piece] = []
        /// Files that it names and that are not there.
        var lost = 0

        init(_ name: String, _ user: String) { (self.name, self.user) = (name, user) }

        mutating func add(_ field: String, _ value: String) { add(field, bytes: Array(value.utf8)) }

        mutating func add(_ field: String, bytes: [UInt8]) { parts.append(Piece("\(name) (\(field))", user, bytes)) }
    }

    private mutating func take(_ entry: Made, versions: Int, isGone: Bool) {
        leftOut += versions + entry.lost
        if isGone {
            leftOut += 1 + entry.parts.count
            shown.removeSubrange(kept...)
        } else {
            pieces += [Piece(entry.name, entry.user, Array(entry.password.utf8))] + entry.parts
        }
        kept = shown.count
    }

    private static func member(_ name: String, _ value: String) -> String {
        "\"\(name)\":\""
            + value.map { character in
                switch character {
                case "\"": "\\\""
                case "\\": "\\\\"
                case "\n": "\\n"
                default: String(character)
                }
            }.joined() + "\""
    }

    /// A ZIP of files that are not compressed.
    private static func zip(_ files: [(name: String, content: [UInt8])]) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        var (bytes, directory): ([UInt8], [UInt8]) = ([], [])
        for (name, content) in files {
            let facts =
                little(20, 2) + little(0x800, 2) + little(0, 2) + little(0, 4) + little(Int(checksum(content)), 4)
                + little(content.count, 4) + little(content.count, 4) + little(name.utf8.count, 2) + little(0, 2)
            directory += [0x50, 0x4B, 1, 2, 20, 0] + facts + little(0, 10) + little(bytes.count, 4) + Array(name.utf8)
            bytes += [0x50, 0x4B, 3, 4] + facts + Array(name.utf8) + content
        }
        return bytes + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0] + little(files.count, 2) + little(files.count, 2)
            + little(directory.count, 4) + little(bytes.count, 4) + [0, 0]
    }
}
