// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What an item of git's keeps: the password, and behind it, on lines of their own, what git wants back with it.
///
/// A password alone is stored as it is, so that everybody who may can use it. Git's passwords have no line feed.
package struct GitSecret: Sendable {
    package let password: SecretValue
    /// Seconds since 1970.
    package let expiry: UInt64?
    package let refreshToken: SecretValue?

    package init(password: SecretValue, expiry: UInt64?, refreshToken: SecretValue?) {
        (self.password, self.expiry, self.refreshToken) = (password, expiry, refreshToken)
    }

    /// nil where the item keeps something that git cannot be told: lines, a NUL, or a carriage return, which other readers
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
        // One spelling only: else what was meant as a password would lose its end.
        guard secret.stored.isEqualInConstantTime(to: SecretValue.joined([password, GitSecret.line, rest])) else {
            return nil
        }
        self = secret
    }

    /// What the item keeps.
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
