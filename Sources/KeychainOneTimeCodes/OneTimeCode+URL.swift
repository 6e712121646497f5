// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
internal import KeychainSystem

/// Seeds as text: `otpauth://totp/ISSUER:ACCOUNT?secret=…&issuer=…&algorithm=SHA1&digits=6&period=30`, as QR codes have them,
/// `steam://SECRET`, or the secret alone in base32.
extension OneTimeCode {
    /// Reads any of them; white space around it counts for nothing.
    package convenience init(text: UnsafeRawBufferPointer) throws(OneTimeCodeError) {
        var text = unsafe text
        while let first = unsafe text.first, OneTimeCode.isSpace(first) {
            unsafe text = UnsafeRawBufferPointer(rebasing: text.dropFirst())
        }
        while let last = unsafe text.last, OneTimeCode.isSpace(last) {
            unsafe text = UnsafeRawBufferPointer(rebasing: text.dropLast())
        }
        guard text.count <= OneTimeCode.longest else { throw .tooLong }
        if unsafe OneTimeCode.has("otpauth://", text) {
            try unsafe self.init(url: UnsafeRawBufferPointer(rebasing: text[10...]))
        } else if unsafe OneTimeCode.has("steam://", text) {
            guard let key = unsafe Base32.decode(UnsafeRawBufferPointer(rebasing: text[8...])) else { throw .notBase32 }
            self.init(key: key, digits: OneTimeCode.steamDigits, isSteam: true)
        } else {
            guard let key = unsafe Base32.decode(text) else { throw .notASeed }
            self.init(key: key)
        }
    }

    package convenience init(_ secret: SecretValue) throws(OneTimeCodeError) {
        try unsafe self.init(text: UnsafeRawBufferPointer(start: secret.bytes, count: secret.count))
    }

    /// What stands behind `otpauth://`.
    // Parts that are not known are passed over: programs add icons and colours.
    private convenience init(url: UnsafeRawBufferPointer) throws(OneTimeCodeError) {
        let question = unsafe url.firstIndex(of: UInt8(ascii: "?")) ?? url.count
        let path = unsafe UnsafeRawBufferPointer(rebasing: url[..<question])
        let slash = unsafe path.firstIndex(of: UInt8(ascii: "/")) ?? path.count
        let isCounted: Bool
        switch try unsafe OneTimeCode.text(UnsafeRawBufferPointer(rebasing: path[..<slash])).lowercased() {
        case "totp": isCounted = false
        case "hotp": isCounted = true
        default: throw .unknownKind
        }
        let label = try unsafe OneTimeCode.text(UnsafeRawBufferPointer(rebasing: path[min(slash + 1, path.count)...]))
        var parts: [String: String] = [:]
        var key: SecretBytes?
        var rest = unsafe UnsafeRawBufferPointer(rebasing: url[min(question + 1, url.count)...])
        while unsafe !rest.isEmpty {
            let end =
                unsafe rest.firstIndex(where: { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "#") }) ?? rest.count
            let part = unsafe UnsafeRawBufferPointer(rebasing: rest[..<end])
            // What stands behind a # is for browsers.
            let isLast = unsafe end == rest.count || rest[end] == UInt8(ascii: "#")
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(isLast ? rest.count : end + 1)...])
            guard unsafe !part.isEmpty else { continue }
            let equals = unsafe part.firstIndex(of: UInt8(ascii: "=")) ?? part.count
            let value = unsafe UnsafeRawBufferPointer(rebasing: part[min(equals + 1, part.count)...])
            let name = try unsafe OneTimeCode.text(UnsafeRawBufferPointer(rebasing: part[..<equals])).lowercased()
            if name == "secret" {
                guard case nil = key.take() else { throw .malformed }
                key = try unsafe OneTimeCode.secret(value)
            } else if OneTimeCode.known.contains(name) {
                guard parts.updateValue(try unsafe OneTimeCode.text(value), forKey: name) == nil else {
                    throw .malformed
                }
            }
        }
        guard let key = key.take() else { throw .noSecret }
        let (issuer, account) = OneTimeCode.names(label, parts["issuer"])
        let isSteam = parts["encoder"]?.lowercased() == "steam"
        guard !isSteam || !isCounted else { throw .unknownKind }
        let hash = try OneTimeCode.hash(parts["algorithm"] ?? "SHA1")
        let digits: Int
        if isSteam {
            digits = OneTimeCode.steamDigits
        } else {
            guard let number = OneTimeCode.number(parts["digits"] ?? "6"), (6...8).contains(number) else {
                throw .digits
            }
            digits = Int(number)
        }
        let kind: Kind
        if isCounted {
            guard let start = parts["counter"].flatMap(OneTimeCode.counter) else { throw .counter }
            kind = .counted(from: start)
        } else {
            guard let period = OneTimeCode.number(parts["period"] ?? "30"), (1...86_400).contains(period) else {
                throw .period
            }
            kind = .timed(period: UInt32(period))
        }
        self.init(
            key: key, kind: kind, hash: hash, digits: digits, isSteam: isSteam, issuer: issuer, account: account)
    }

    /// Issuer and account: `Example:ada`, of which the first is said once more as a part of its own, or there alone.
    internal static func names(_ label: String, _ given: String?) -> (issuer: String, account: String) {
        var (issuer, account) = (given ?? "", label[...])
        if let given, account.utf8.starts(with: (given + ":").utf8), !given.isEmpty {
            account = label[label.utf8.index(label.startIndex, offsetBy: given.utf8.count + 1)...]
        } else if given != "", let colon = label.utf8.firstIndex(of: UInt8(ascii: ":")) {
            if given == nil { issuer = String(label[..<colon]) }
            account = label[label.utf8.index(after: colon)...]
        }
        while account.utf8.first == UInt8(ascii: " ") {
            account = account[account.utf8.index(after: account.startIndex)...]
        }
        return (issuer, String(account))
    }

    private static func secret(_ value: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> SecretBytes {
        let plain = try unsafe plain(value)
        guard let key = unsafe plain.withUnsafeBytes({ unsafe Base32.decode($0) }) else {
            throw plain.count == 0 ? .noSecret : .notBase32
        }
        return key
    }

    /// As programs write it: `SHA1`, `sha-256`, `HmacSHA512`.
    package static func hash(_ name: String) throws(OneTimeCodeError) -> MessageCode {
        var name = name.uppercased().filter { $0 != "-" }
        if name.hasPrefix("HMAC") { name = String(name.dropFirst(4)) }
        guard let hash = MessageCode(rawValue: name) else { throw .unknownAlgorithm }
        return hash
    }

    private static func number(_ text: String) -> UInt64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt64(text) : nil
    }

    private static func text(_ bytes: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> String {
        let plain = try unsafe plain(bytes)
        return try unsafe plain.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in try unsafe shown(bytes) }
    }

    /// A text that a terminal shows.
    internal static func shown(_ bytes: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> String {
        let text =
            unsafe bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) ? nil : String(validating: bytes, as: UTF8.self)
        guard let text else { throw .malformed }
        return text
    }

    /// Without the percent signs of a URL.
    internal static func plain(_ bytes: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> SecretValue {
        var count = 0
        var isWhole = true
        let room = unsafe SecretValue(count: bytes.count) { output in
            var index = 0
            while index < bytes.count {
                var byte = unsafe bytes[index]
                index += 1
                if byte == UInt8(ascii: "%") {
                    guard index + 1 < bytes.count, let high = unsafe Hexadecimal.value(of: bytes[index]),
                        let low = unsafe Hexadecimal.value(of: bytes[index + 1])
                    else {
                        isWhole = false
                        return
                    }
                    byte = high << 4 | low
                    index += 2
                }
                unsafe output[count] = byte
                count += 1
            }
        }
        guard isWhole else { throw .malformed }
        return unsafe room.withUnsafeBytes {
            unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: $0[..<count]))
        }
    }

    internal static func has(_ beginning: StaticString, _ text: UnsafeRawBufferPointer) -> Bool {
        let wanted = beginning.description.utf8
        guard text.count >= wanted.count else { return false }
        // None of the letters of a scheme becomes another one's by this.
        for (index, byte) in wanted.enumerated() where unsafe text[index] | 0x20 != byte | 0x20 { return false }
        return true
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    /// The last of several: pass-otp 1.2 puts the next number behind the one before it, `counter=3counter=4`.
    private static func counter(_ text: String) -> UInt64? {
        let numbers = text.split(separator: "counter=", omittingEmptySubsequences: false).map { number(String($0)) }
        return numbers.allSatisfy { $0 != nil } ? numbers.last ?? nil : nil
    }

    private static let known: Set<String> = ["issuer", "algorithm", "digits", "period", "counter", "encoder"]
    /// More than a QR code holds.
    private static let longest = 8192
}

/// The one spelling that is stored and exported.
extension OneTimeCode {
    /// The URL; with `counter` in place of where the count began.
    package func url(counter: UInt64? = nil) -> SecretValue {
        var head = "otpauth://\(isCounted ? "hotp" : "totp")/"
        head += issuer.isEmpty ? "" : OneTimeCode.quoted(issuer) + ":"
        head += OneTimeCode.quoted(account) + "?secret="
        // Else what stands before a colon of the account would be read as the issuer.
        let hasIssuer = !issuer.isEmpty || account.utf8.contains(UInt8(ascii: ":"))
        var tail = hasIssuer ? "&issuer=\(OneTimeCode.quoted(issuer))" : ""
        if hash != .sha1 { tail += "&algorithm=\(hash.rawValue)" }
        if isSteam {
            tail += "&encoder=steam"
        } else if digits != OneTimeCode.usualDigits {
            tail += "&digits=\(digits)"
        }
        switch kind {
        case .timed(let period): if period != OneTimeCode.usualPeriod { tail += "&period=\(period)" }
        case .counted(let start): tail += "&counter=\(counter ?? start)"
        }
        let secret = unsafe key.withUnsafeBytes { unsafe Base32.encode($0) }
        return SecretValue.joined([
            SecretValue(copying: Array(head.utf8)), secret, SecretValue(copying: Array(tail.utf8)),
        ])
    }

    /// Whether two texts are seeds that count the codes of one key from one number.
    package static func isSameCount(_ text: SecretValue, _ other: SecretValue?) -> Bool {
        guard let other, let code = try? OneTimeCode(text), let otherCode = try? OneTimeCode(other) else {
            return false
        }
        return code.isCounted && code.kind == otherCode.kind && code.key.isEqualInConstantTime(to: otherCode.key)
    }

    /// Whether two texts are one seed of codes that count, and the first goes on where the other does or has been already.
    package static func isNoLater(_ text: SecretValue, than other: SecretValue) -> Bool {
        guard let code = try? OneTimeCode(text), let otherCode = try? OneTimeCode(other),
            case .counted(let start) = code.kind, case .counted(let otherStart) = otherCode.kind
        else { return false }
        return start <= otherStart && code.url(counter: 0).isEqualInConstantTime(to: otherCode.url(counter: 0))
    }

    /// Whether two texts are seeds of one key, so that they give the same codes, whatever else they say.
    package static func isSameKey(_ text: SecretValue, _ other: SecretValue) -> Bool {
        guard let code = try? OneTimeCode(text), let otherCode = try? OneTimeCode(other) else { return false }
        return code.key.isEqualInConstantTime(to: otherCode.key)
    }

    private static func quoted(_ text: String) -> String {
        var quoted: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "@"):
                quoted.append(byte)
            default:
                quoted += [
                    UInt8(ascii: "%"), Hexadecimal.digit(of: byte >> 4, uppercase: true),
                    Hexadecimal.digit(of: byte, uppercase: true),
                ]
            }
        }
        return String(decoding: quoted, as: UTF8.self)
    }
}
