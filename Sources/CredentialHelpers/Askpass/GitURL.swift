// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// The URL in a question of git's, with its letters taken out of their percent signs.
struct GitURL {
    let origin: GitOrigin
    let account: String?

    init?(_ text: String) {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), text[colon...].utf8.starts(with: "://".utf8)
        else { return nil }
        let rest = text[text.utf8.index(colon, offsetBy: 3)...]
        let slash = rest.utf8.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
        var host = rest[..<slash]
        var account: String?
        if let sign = host.utf8.lastIndex(of: UInt8(ascii: "@")) {
            guard let name = GitURL.decoded(host[..<sign]) else { return nil }
            account = name
            host = host[host.utf8.index(after: sign)...]
        }
        guard let host = GitURL.decoded(host), let path = GitURL.decoded(rest[slash...].dropFirst()),
            let origin = GitOrigin(protocol: String(text[..<colon]), host: host, path: path)
        else { return nil }
        (self.origin, self.account) = (origin, account)
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(where: { $0 < 0x20 }) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
