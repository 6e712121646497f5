// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What of DER it takes to pack keys and signatures for `openssl`.
enum DER {
    static func sequence(_ parts: Data...) -> Data { element(0x30, parts.reduce(Data(), +)) }
    static func identifier(_ bytes: [UInt8]) -> Data { element(6, Data(bytes)) }
    static func octets(_ content: Data) -> Data { element(4, content) }
    static func bits(_ content: Data) -> Data { element(3, [0] + content) }

    /// A number from its digits, most significant first.
    static func number(_ digits: Data) -> Data {
        let significant = Data(digits.drop { $0 == 0 })
        return element(2, (significant.first ?? 0x80) < 0x80 ? significant : [0] + significant)
    }

    static func element(_ tag: UInt8, _ content: Data) -> Data {
        switch content.count {
        case ..<128: Data([tag, UInt8(content.count)]) + content
        case ..<256: Data([tag, 0x81, UInt8(content.count)]) + content
        default: Data([tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]) + content
        }
    }

    /// The two numbers of an ECDSA signature side by side, each of so many bytes; nil where there are no two.
    static func fixed(_ signature: Data, size: Int) -> Data? {
        var rest = [UInt8](signature)
        func header(_ tag: UInt8) -> Int? {
            guard rest.count > 2, rest[0] == tag else { return nil }
            let isLong = rest[1] == 0x81
            let count = Int(isLong ? rest[2] : rest[1])
            rest.removeFirst(isLong ? 3 : 2)
            return count <= rest.count ? count : nil
        }
        guard header(0x30) != nil else { return nil }
        var numbers = Data()
        for _ in 0..<2 {
            guard let count = header(2) else { return nil }
            let digits = rest.prefix(count).drop { $0 == 0 }
            guard digits.count <= size else { return nil }
            numbers += Data(count: size - digits.count) + digits
            rest.removeFirst(count)
        }
        return numbers
    }

    static func pem(_ name: String, _ der: Data) -> Data {
        let text = der.base64EncodedString(options: .lineLength64Characters)
        return Data("-----BEGIN \(name)-----\n\(text)\n-----END \(name)-----\n".utf8)
    }
}
