// SPDX-License-Identifier: Apache-2.0

package import TestSeed

/// A store as another program would have it, made up, and what has to become of everything in it.
package struct RandomVault: Sendable {
    /// What has to become an item.
    package struct Piece: Hashable, Comparable, Sendable {
        package let name: String
        package let account: String
        package let secret: [UInt8]

        package init(_ name: String, _ account: String, _ secret: [UInt8]) {
            (self.name, self.account, self.secret) = (name, account, secret)
        }

        package static func < (left: Piece, right: Piece) -> Bool {
            (left.name, left.account, String(decoding: left.secret, as: UTF8.self))
                < (right.name, right.account, String(decoding: right.secret, as: UTF8.self))
        }
    }

    package internal(set) var bytes: [UInt8] = []
    package internal(set) var pieces: [Piece] = []
    /// What has to be shown with an item, each of them once.
    package internal(set) var shown: [String] = []
    /// How many of these are of entries that are kept.
    internal var kept = 0
    /// How many things have to be named as left out.
    package internal(set) var leftOut = 0

    package static let names = ["mail", "bank", "née <&>", "a/b", "x"]
    package static let users = ["", "ada", "bob \"b\""]

    package static func secret(_ seed: inout Seed) -> String {
        (0..<(1 + Int(seed.next() % 9))).map { _ in
            seed.pick(["a", "Z", "7", "é", "<", "&", "\"", " ", "{", "}", "\\", ";", "🔑"])
        }.joined()
    }

    package static func binary(_ seed: inout Seed) -> [UInt8] {
        (0..<Int(seed.next() % 300)).map { _ in UInt8(truncatingIfNeeded: seed.next()) }
    }
}

extension RandomVault {
    /// What KeePass exports: groups in groups, attachments, custom fields, references, a recycle bin, earlier versions.
    package static func keepassXML(_ count: Int, _ seed: inout Seed) -> RandomVault {
        var vault = RandomVault()
        var pool = ""
        var attachments = 0
        var groups = ["", "", ""]
        let plain = (0..<count).map { _ in secret(&seed) }
        for number in 0..<count {
            let (name, user) = (seed.pick(names), seed.pick(users))
            let place = Int(seed.next() % 3)
            var isGone = place == 2
            var password = (written: plain[number], meant: plain[number])
            switch seed.next() % 6 {
            // Entries of even numbers have no reference, so none leads in a circle.
            case 0 where number % 2 == 1:
                let other = Int(seed.next() % UInt64(number)) & ~1
                password = ("{REF:P@I:\(identifier(other))}", plain[other])
            case 1 where number % 2 == 1:
                password.written = "x{REF:P@I:\(identifier(count + number))}"
                isGone = true
            default: break
            }
            var text = "<Entry><UUID>\(base64(bytes(of: number)))</UUID><Tags>t\(number)</Tags>"
            func add(_ key: String, _ value: String, isProtected: Bool = false) {
                let mark = isProtected ? " ProtectInMemory=\"True\"" : ""
                text += "<String><Key>\(key)</Key><Value\(mark)>\(escaped(value))</Value></String>"
            }
            add("Title", name)
            add("UserName", user)
            add("Password", password.written, isProtected: true)
            add("URL", seed.pick(["", "https://example.org/login?x=1", "https://h:8443/", "not a url"]))
            add("Notes", seed.pick(["", "one\ntwo"]))
            if seed.oneIn(3) { add("Hint", secret(&seed)) }
            var parts: [Piece] = []
            if seed.oneIn(3) {
                let pin = secret(&seed)
                add("PIN", pin, isProtected: true)
                parts.append(Piece("\(name) (PIN)", user, Array(pin.utf8)))
            }
            for part in 0..<(seed.next() % 3) {
                let content = binary(&seed)
                let isCompressed = seed.oneIn(2)
                let written = base64(isCompressed ? gzip(content) : content)
                pool +=
                    "<Binary ID=\"\(attachments)\" Compressed=\"\(isCompressed ? "True" : "False")\">\(written)</Binary>"
                text += "<Binary><Key>f\(part).bin</Key><Value Ref=\"\(attachments)\"/></Binary>"
                attachments += 1
                parts.append(Piece("\(name) (f\(part).bin)", user, content))
            }
            let versions = Int(seed.next() % 3)
            let old = "<Entry><String><Key>Password</Key><Value>old</Value></String></Entry>"
            text += "<History>" + String(repeating: old, count: versions) + "</History></Entry>"
            groups[place] += text
            vault.leftOut += versions
            if isGone {
                vault.leftOut += 1 + parts.count
            } else {
                vault.pieces += [Piece(name, user, Array(password.meant.utf8))] + parts
            }
        }
        vault.bytes = Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <KeePassFile><Meta><RecycleBinUUID>AAAB</RecycleBinUUID><Binaries>\(pool)</Binaries></Meta><Root>
            <Group><UUID>AAAA</UUID><Name>Root</Name>\(groups[0])
            <Group><UUID>AAAC</UUID><Name>Web</Name>\(groups[1])</Group>
            <Group><UUID>AAAB</UUID><Name>Recycle Bin</Name>\(groups[2])</Group>
            </Group></Root></KeePassFile>
            """.utf8)
        return vault
    }

    /// What KeePassXC exports as a table.
    package static func keepassCSV(_ count: Int, _ seed: inout Seed) -> RandomVault {
        var vault = RandomVault()
        var text = "\"Group\",\"Title\",\"Username\",\"Password\",\"URL\",\"Notes\",\"TOTP\",\"Icon\"\n"
        for number in 0..<count {
            let (name, user, password) = (seed.pick(names), seed.pick(users), secret(&seed))
            let isGone = seed.oneIn(5)
            let code = seed.oneIn(4) ? "otpauth://totp/\(number)" : ""
            let fields = [
                isGone ? "Root/Recycle Bin" : seed.pick(["Root", "Root/Web"]), name, user, password,
                seed.pick(["", "https://example.org/login?x=1"]), seed.pick(["", "one\ntwo"]), code, "0",
            ]
            text +=
                fields.map {
                    "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
                }
                .joined(separator: ",") + "\n"
            var pieces = [Piece(name, user, Array(password.utf8))]
            if !code.isEmpty { pieces.append(Piece("\(name) (otp)", user, Array(code.utf8))) }
            if isGone { vault.leftOut += pieces.count } else { vault.pieces += pieces }
        }
        vault.bytes = Array(text.utf8)
        return vault
    }

    /// A keyring of gnome-keyring that no password seals, with items that differ in their attributes alone, or in nothing.
    package static func keyring(_ count: Int, _ seed: inout Seed) -> RandomVault {
        var vault = RandomVault()
        var text = "[keyring]\ndisplay-name=made\nctime=1790000000\nmtime=0\nlock-on-idle=false\nlock-after=false\n"
        for number in 1...count {
            let user = seed.pick(["", "ada"])
            var secret = secret(&seed).filter { $0 != "\\" }
            if seed.oneIn(4) { secret += "\nsecond line\n\n[9]\nmtime=3" }
            text +=
                "\n[\(number)]\nitem-type=0\ndisplay-name=wifi\nsecret=\(secret)\nmtime=1790000000\nctime=1790000000\n"
            var attributes = [("xdg:schema", "org.freedesktop.NetworkManager.Connection"), ("setting-key", "psk")]
            if !user.isEmpty { attributes.append(("account", user)) }
            attributes.append(("connection-uuid", "uuid \(seed.next() % UInt64(count))"))
            if seed.oneIn(8) { attributes += [("server", "example.org"), ("protocol", "https")] }
            for (index, attribute) in attributes.enumerated() {
                text += "\n[\(number):attribute\(index)]\nname=\(attribute.0)\ntype=string\nvalue=\(attribute.1)\n"
            }
            vault.pieces.append(Piece("wifi", user, Array(secret.utf8)))
        }
        vault.bytes = Array(text.utf8)
        return vault
    }

    /// What a file of pass says, with lines of every kind.
    package static func passEntry(_ seed: inout Seed) -> [UInt8] {
        if seed.oneIn(8) { return binary(&seed) }
        var text = seed.pick(["-----BEGIN KEY-----", "", secret(&seed), secret(&seed)])
        for _ in 0..<(seed.next() % 5) {
            text +=
                "\n"
                + seed.pick([
                    "login: ada", "url: https://example.org/x?y=1", "PIN: 12", "a free note", "",
                    "otpauth://totp/x?secret=A",
                    "https://example.org", "user:bob", "-----END KEY-----", "answer: ", "url: https://u:p@h/",
                ])
        }
        if seed.oneIn(2) { text += "\n" }
        return Array(text.utf8)
    }

    private static func bytes(of number: Int) -> [UInt8] {
        [0xA1, 0xB2] + (0..<14).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 7))) }
    }

    private static func identifier(_ number: Int) -> String {
        bytes(of: number).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "<": "&lt;"
            case "&": "&amp;"
            default: String(character)
            }
        }.joined()
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            let value = (0..<3).reduce(0) { $0 << 8 | ($1 < group.count ? Int(group[$1]) : 0) }
            for index in 0..<4 { text.append(index <= group.count ? letters[value >> (18 - 6 * index) & 63] : "=") }
        }
        return text
    }

    /// As gzip writes what it does not compress.
    private static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        func little(_ value: UInt32, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
        }
        let size = UInt32(bytes.count)
        return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF, 1] + little(size, 2) + little(~size, 2) + bytes
            + little(checksum(bytes), 4) + little(size, 4)
    }

    /// CRC-32, as gzip and ZIP have it.
    internal static func checksum(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(UInt32.max) { value, byte in
            (0..<8).reduce(value ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}
