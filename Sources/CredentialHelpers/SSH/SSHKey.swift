// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainKeys
internal import KeychainModel

/// A key as SSH writes it, with the name that people know it by.
struct SSHKey {
    let key: CryptoKey
    let label: String
    let kind: SSHKeyKind
    /// The public half, by which an agent knows it.
    let publicBlob: SecretValue

    /// nil of a kind that SSH does not know.
    init?(_ key: CryptoKey, label: String) {
        guard let kind = SSHKeyKind(key), let point = key.publicRepresentation else { return nil }
        (self.key, self.label, self.kind) = (key, label, kind)
        guard let parts = SSHKey.publicParts(kind, point) else { return nil }
        publicBlob = SecretValue.joined([SSHBytes.string(kind.rawValue)] + parts)
    }

    /// As `ssh-keygen -l` shows it.
    func fingerprint() throws(CryptoError) -> String {
        let digest = try unsafe publicBlob.withUnsafeBytes { (bytes) throws(CryptoError) in
            try unsafe Digest.sha256(bytes)
        }
        return "SHA256:" + SSHKey.base64(digest)
    }

    /// What an agent is given, the comment included.
    func privateParts() throws(KeyError) -> [SecretValue] {
        let secret = SecretValue(copying: try key.representation())
        let name = SSHBytes.string(kind.rawValue)
        let parts: [SecretValue]
        switch kind {
        case .ed25519:
            let point = SecretValue(copying: key.publicRepresentation ?? [])
            parts = [SSHBytes.string(point), SSHBytes.string(SecretValue.joined([secret, point]))]
        case .p256, .p384, .p521:
            let point = SecretValue(copying: key.publicRepresentation ?? [])
            let scalar = unsafe secret.withUnsafeBytes { bytes in
                unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[point.count...]))
            }
            parts = [SSHBytes.string(kind.curve ?? ""), SSHBytes.string(point), SSHBytes.integer(scalar)]
        case .rsa:
            let numbers = try SSHKey.numbers(secret, .private)
            // n, e, d, p, q, dp, dq, 1/q; SSH wants n, e, d, 1/q, p, q.
            parts = [0, 1, 2, 7, 3, 4].map { SSHBytes.integer(numbers[$0]) }
        }
        return [name] + parts + [SSHBytes.string(label)]
    }

    private static func publicParts(_ kind: SSHKeyKind, _ point: [UInt8]) -> [SecretValue]? {
        let value = SecretValue(copying: point)
        switch kind {
        case .ed25519: return [SSHBytes.string(value)]
        case .p256, .p384, .p521: return [SSHBytes.string(kind.curve ?? ""), SSHBytes.string(value)]
        case .rsa:
            guard let numbers = try? numbers(value, .public) else { return nil }
            return [SSHBytes.integer(numbers[1]), SSHBytes.integer(numbers[0])]
        }
    }

    private static func numbers(_ encoded: SecretValue, _ part: KeyPart) throws(KeyError) -> [SecretValue] {
        try unsafe encoded.withUnsafeBytes { (bytes) throws(KeyError) in
            let numbers = try unsafe RSANumbers(parsing: bytes, part)
            return zip(numbers.offsets, numbers.counts).map { offset, count in
                unsafe SecretValue(copying: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
            }
        }
    }

    /// Without padding, as fingerprints are written.
    private static func base64(_ bytes: [UInt8]) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var (text, bits, count) = ([UInt8](), UInt32(0), UInt32(0))
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(digits[Int(bits >> count & 63)])
            }
        }
        if count > 0 { text.append(digits[Int(bits << (6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }
}
