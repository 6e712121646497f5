// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// Git's description of a credential: lines of `key=value`, up to a blank line or the end.
///
/// Unknown keys are ignored, as git's protocol asks; so are its lists (`wwwauth[]`, `state[]`), which are not needed here. A
/// message with a known key twice is refused.
package struct GitMessage: Sendable {
    /// Why a message is malformed; never its contents.
    package enum Fault: Error, Equatable {
        case noKey
        case nul
        case twice(String)
        case notText(String)
        case carriageReturn(String)
        case noTime
    }

    package private(set) var `protocol`: String?
    package private(set) var host: String?
    package private(set) var path: String?
    package private(set) var username: String?
    package private(set) var password: SecretValue?
    /// Seconds since 1970.
    package private(set) var expiry: UInt64?
    package private(set) var refreshToken: SecretValue?

    package init(_ said: SecretValue) throws(Fault) {
        var message = GitMessage()
        try unsafe said.withUnsafeBytes { (bytes) throws(Fault) in try unsafe message.take(lines: bytes) }
        self = message
    }

    private init() {}

    private mutating func take(lines bytes: UnsafeRawBufferPointer) throws(Fault) {
        var start = 0
        while start < bytes.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
            let size = unsafe rest.firstIndex(of: GitMessage.feed) ?? rest.count
            if size == 0 { return }
            try unsafe take(line: UnsafeRawBufferPointer(rebasing: rest[..<size]))
            start += size + 1
        }
    }

    private mutating func take(line: UnsafeRawBufferPointer) throws(Fault) {
        guard unsafe !line.contains(0) else { throw .nul }
        guard let equals = unsafe line.firstIndex(of: UInt8(ascii: "=" as Unicode.Scalar)), equals > 0 else {
            throw .noKey
        }
        let key = unsafe String(decoding: line[..<equals], as: UTF8.self)
        let value = unsafe UnsafeRawBufferPointer(rebasing: line[(equals + 1)...])
        switch key {
        case "protocol": try unsafe GitMessage.set(&`protocol`, key, value)
        case "host": try unsafe GitMessage.set(&host, key, value)
        case "path": try unsafe GitMessage.set(&path, key, value)
        case "username": try unsafe GitMessage.set(&username, key, value)
        case "password": try unsafe GitMessage.set(&password, key, value)
        case "oauth_refresh_token": try unsafe GitMessage.set(&refreshToken, key, value)
        case "password_expiry_utc":
            var text: String?
            try unsafe GitMessage.set(&text, key, value)
            guard expiry == nil else { throw .twice(key) }
            guard let seconds = text.flatMap(GitMessage.seconds) else { throw .noTime }
            expiry = seconds
        default: break
        }
    }

    private static func set(
        _ place: inout String?, _ key: String, _ value: UnsafeRawBufferPointer
    ) throws(Fault) {
        guard place == nil else { throw .twice(key) }
        guard let text = unsafe String(validating: value, as: UTF8.self) else { throw .notText(key) }
        // Git refuses to send one, because other helpers take it for the end of a line.
        guard !text.contains(byte: 0x0D) else { throw .carriageReturn(key) }
        place = text
    }

    private static func set(
        _ place: inout SecretValue?, _ key: String, _ value: UnsafeRawBufferPointer
    ) throws(Fault) {
        guard place == nil else { throw .twice(key) }
        guard unsafe !value.contains(0x0D) else { throw .carriageReturn(key) }
        place = unsafe SecretValue(copying: value)
    }

    /// Only digits: no sign, no space, as git writes it.
    static func seconds(_ text: String) -> UInt64? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return UInt64(text)
    }

    private static let feed = UInt8(ascii: "\n" as Unicode.Scalar)
}

extension GitMessage.Fault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noKey: "git sent a line without a key"
        case .nul: "git sent a NUL byte"
        case .twice(let key): "git sent \(key) twice"
        case .notText(let key): "git sent a \(key) that is not UTF-8"
        case .carriageReturn(let key): "git sent a \(key) with a carriage return"
        case .noTime: "git sent a password_expiry_utc that is not a number"
        }
    }
}

/// The secret of an item of git: the password, followed by lines with further fields that git gets back.
///
/// A password without further fields is stored as it is, so that other programs can use it. Git's passwords have no line feed.
package struct GitSecret: Sendable {
    package let password: SecretValue
    /// Seconds since 1970.
    package let expiry: UInt64?
    package let refreshToken: SecretValue?

    package init(password: SecretValue, expiry: UInt64?, refreshToken: SecretValue?) {
        (self.password, self.expiry, self.refreshToken) = (password, expiry, refreshToken)
    }

    /// nil if the item has bytes that git's protocol does not allow: line feeds, a NUL, or a carriage return, which other readers
    /// of its messages take for the end of a line.
    package init?(stored: SecretValue) {
        let parsed: GitSecret? = unsafe stored.withUnsafeBytes { bytes in
            guard unsafe !bytes.contains(0) && !bytes.contains(GitSecret.carriageReturn) else { return nil }
            let end = unsafe bytes.firstIndex(of: GitSecret.feed) ?? bytes.count
            let password = unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[..<end]))
            guard end < bytes.count else { return GitSecret(password: password, expiry: nil, refreshToken: nil) }
            let rest = unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...]))
            return GitSecret(password: password, behind: rest)
        }
        guard let parsed else { return nil }
        self = parsed
    }

    private init?(password: SecretValue, behind rest: SecretValue) {
        guard rest.count > 0, let said = try? GitMessage(rest), said.expiry != nil || said.refreshToken != nil else {
            return nil
        }
        let secret = GitSecret(password: password, expiry: said.expiry, refreshToken: said.refreshToken)
        // Only the exact form, so that no part of a password is taken for a field.
        guard secret.stored.isEqualInConstantTime(to: SecretValue.joined([password, GitSecret.line, rest])) else {
            return nil
        }
        self = secret
    }

    /// The stored secret.
    package var stored: SecretValue {
        var parts = [password]
        if let expiry { parts.append(SecretValue(copying: Array("\npassword_expiry_utc=\(expiry)".utf8))) }
        if let refreshToken { parts += [SecretValue(copying: Array("\noauth_refresh_token=".utf8)), refreshToken] }
        return SecretValue.joined(parts)
    }

    func isExpired(at now: UInt64) -> Bool { expiry.map { $0 < now } ?? false }

    private static let carriageReturn = UInt8(ascii: "\r" as Unicode.Scalar)
    private static let feed = UInt8(ascii: "\n" as Unicode.Scalar)
    private static let line = SecretValue(copying: [GitSecret.feed])
}
