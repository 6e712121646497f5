// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel

/// What makes one-time codes: a key, and how codes are computed from it.
package final class OneTimeCode: Sendable {
    /// What a code is computed of, besides the key.
    package enum Kind: Hashable, Sendable {
        /// The time (TOTP, RFC 6238), which counts in periods of so many seconds.
        case timed(period: UInt32)
        /// A counter (HOTP, RFC 4226), and where it begins.
        case counted(from: UInt64)
    }

    package let key: SecretBytes
    package let kind: Kind
    package let hash: MessageCode
    /// 6 to 8; 5 where `isSteam`.
    package let digits: Int
    /// Whether the code is written in the letters of Steam's programs.
    package let isSteam: Bool
    /// Who asks for the code, and of whom; empty where the source does not say.
    package let issuer: String
    package let account: String

    internal init(
        key: consuming SecretBytes, kind: Kind = .timed(period: usualPeriod), hash: MessageCode = .sha1,
        digits: Int = usualDigits, isSteam: Bool = false, issuer: String = "", account: String = ""
    ) {
        (self.kind, self.hash, self.digits, self.isSteam) = (kind, hash, digits, isSteam)
        (self.issuer, self.account) = (issuer, account)
        self.key = key
    }

    package static let usualPeriod: UInt32 = 30
    package static let usualDigits = 6
    package static let steamDigits = 5
}

extension OneTimeCode {
    /// Whether it counts the codes that were given, so that somebody has to keep the count.
    package var isCounted: Bool { if case .counted = kind { true } else { false } }

    /// The code at a time, in seconds since 1970; of what counts, that of where it begins.
    package func code(at seconds: UInt64) throws(CryptoError) -> SecretValue {
        switch kind {
        case .timed(let period): try code(of: seconds / UInt64(period))
        case .counted(let start): try code(of: start)
        }
    }

    /// How many seconds the code of this time is still good; nil for what counts.
    package func secondsLeft(at seconds: UInt64) -> UInt32? {
        guard case .timed(let period) = kind else { return nil }
        return period - UInt32(seconds % UInt64(period))
    }

    /// The code of a number (RFC 4226, §5.3): the digits, as text.
    package func code(of number: UInt64) throws(CryptoError) -> SecretValue {
        let code = try unsafe withUnsafeBytes(of: number.bigEndian) { (message) throws(CryptoError) in
            try unsafe key.withUnsafeBytes { (key) throws(CryptoError) in try unsafe hash.code(key: key, message) }
        }
        return unsafe code.withUnsafeBytes { code in
            guard let last = unsafe code.last else { return SecretValue(copying: [UInt8]()) }
            let offset = Int(last & 0xF)
            var value: UInt32 = 0
            for place in offset..<offset + 4 { value = unsafe value << 8 | UInt32(code[place]) }
            value &= 0x7FFF_FFFF
            return unsafe SecretValue(count: digits) { output in
                for place in 0..<digits {
                    if isSteam {
                        unsafe output[place] = OneTimeCode.steamLetters[Int(value % 26)]
                        value /= 26
                    } else {
                        unsafe output[digits - 1 - place] = 0x30 + UInt8(value % 10)
                        value /= 10
                    }
                }
            }
        }
    }

    // As Steam's own programs write them: without letters and digits that look alike.
    private static let steamLetters = Array("23456789BCDFGHJKMNPQRTVWXY".utf8)
}

/// Why something is not the seed of one-time codes.
package enum OneTimeCodeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Neither a URL of otpauth nor base32.
    case notASeed
    case noSecret
    /// A secret that is not base32.
    case notBase32
    /// A part of the URL is there twice, or is not text.
    case malformed
    case unknownKind
    case unknownAlgorithm
    case digits
    case period
    /// A counted code without a counter, or with one that is no number.
    case counter
    case tooLong

    package var description: String {
        switch self {
        case .notASeed: "it is neither an otpauth:// URL nor a secret in base32 (letters A to Z and digits 2 to 7)"
        case .noSecret: "the URL has no secret"
        case .notBase32: "the secret is not base32 (letters A to Z and digits 2 to 7)"
        case .malformed: "the URL is malformed, or has a part twice"
        case .unknownKind: "the URL is neither of totp nor of hotp"
        case .unknownAlgorithm: "the algorithm is none of SHA1, SHA256 and SHA512"
        case .digits: "the number of digits is not 6, 7 or 8"
        case .period: "the period is not a number of seconds from 1 to 86400"
        case .counter: "the counter is missing, or is not a number"
        case .tooLong: "it is too long"
        }
    }
}
