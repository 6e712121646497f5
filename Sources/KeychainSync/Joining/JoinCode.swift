// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto

/// A hundred bits of a hash as a person pastes them: five groups of five characters, the last of which checks the others.
package struct JoinCode: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case request
        case answer
    }

    package let kind: Kind
    private let symbols: [UInt8]

    /// The code of a message.
    init(_ kind: Kind, of digest: [UInt8]) {
        self.kind = kind
        symbols = Array(JoinAlphabet.symbols(of: digest).prefix(JoinCode.symbolCount))
    }

    /// A code that was pasted or typed; nil when it has an error in it, or is of the other kind.
    package init?(_ kind: Kind, pasted text: String) {
        guard let read = JoinAlphabet.symbols(pasted: text.utf8), read.count == JoinCode.groupSize * JoinCode.groups,
            let check = JoinCode.check(kind, read.prefix(JoinCode.symbolCount)),
            check.elementsEqual(read.suffix(JoinCode.groupSize))
        else { return nil }
        self.kind = kind
        symbols = Array(read.prefix(JoinCode.symbolCount))
    }

    /// What to paste; nil when OpenSSL cannot hash.
    package var text: String? {
        guard let check = JoinCode.check(kind, symbols[...]) else { return nil }
        let all = symbols + check
        let groups = stride(from: 0, to: all.count, by: JoinCode.groupSize).map { start in
            String(decoding: all[start..<start + JoinCode.groupSize].map(JoinAlphabet.letter), as: UTF8.self)
        }
        return groups.joined(separator: "-")
    }

    private static func check(_ kind: Kind, _ symbols: ArraySlice<UInt8>) -> [UInt8]? {
        let digest = try? Digest.sha256(of: Array("llavero code \(kind.rawValue) ".utf8) + symbols)
        return digest.map { Array(JoinAlphabet.symbols(of: $0).prefix(groupSize)) }
    }

    private static let symbolCount = 20
    private static let groupSize = 5
    private static let groups = 5
}

/// Thirty-two digits and letters of which none looks like another: five bits each, the highest first.
enum JoinAlphabet {
    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    static func letter(_ symbol: UInt8) -> UInt8 { letters[Int(symbol & 31)] }

    /// A letter's five bits, in either case; what is read for another letter is taken for it.
    static func symbol(_ letter: UInt8) -> UInt8? {
        let lower = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) ? letter | 0x20 : letter
        switch lower {
        case UInt8(ascii: "o"): return 0
        case UInt8(ascii: "i"), UInt8(ascii: "l"): return 1
        default: return letters.firstIndex(of: lower).flatMap { UInt8(exactly: $0) }
        }
    }

    /// Whether it may stand between letters.
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x2D }

    static func symbols(of bytes: [UInt8]) -> [UInt8] {
        (0..<bytes.count * 8 / 5).map { index in
            (0..<5).reduce(UInt8(0)) { symbol, bit in
                let place = index * 5 + bit
                return symbol << 1 | (bytes[place / 8] >> UInt8(7 - place % 8)) & 1
            }
        }
    }

    static func symbols(pasted text: some Collection<UInt8>) -> [UInt8]? {
        var symbols: [UInt8] = []
        for byte in text where !isSpace(byte) {
            guard let symbol = symbol(byte) else { return nil }
            symbols.append(symbol)
        }
        return symbols
    }
}
