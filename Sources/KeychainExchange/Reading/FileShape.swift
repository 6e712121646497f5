// SPDX-License-Identifier: Apache-2.0

/// What bytes look like, told by the tags of their first elements; whether they are that, reading them shows.
enum FileShape {
    case certificate
    case publicKeyInfo
    case rsaPublicKey
    /// PKCS#8.
    case privateKeyInfo
    /// PKCS#1 or SEC 1.
    case ownPrivateKey
    /// PKCS#8, encrypted.
    case encryptedKey
    case pkcs7
    case pkcs12
    /// Blocks between lines of dashes.
    case text
    /// A key as OpenSSH writes it.
    case ssh

    /// nil when they look like nothing that is known.
    init?(_ bytes: UnsafeRawBufferPointer) {
        let shape = unsafe Self.ofPKCS12(bytes) ?? Self.ofElements(bytes) ?? Self.ofText(bytes)
        guard let shape else { return nil }
        self = shape
    }

    private static func ofElements(_ bytes: UnsafeRawBufferPointer) -> FileShape? {
        var outer = unsafe DERReader(unsafeBytes: bytes)
        // An RSA key has most elements: nine.
        guard let reader = outer.enter(DERTag.sequence), outer.isAtEnd, let tags = reader.tags(atMost: 16)
        else { return nil }
        let (integer, sequence, octets) = (DERTag.integer, DERTag.sequence, DERTag.octetString)
        switch tags {
        case [sequence, sequence, DERTag.bitString]: return .certificate
        case [sequence, DERTag.bitString]: return .publicKeyInfo
        case [sequence, octets]: return .encryptedKey
        case [integer, integer]: return .rsaPublicKey
        case [DERTag.objectIdentifier, DERTag.context(0)]: return .pkcs7
        case _ where tags.starts(with: [integer, sequence, octets]): return .privateKeyInfo
        case _ where tags.starts(with: [integer, octets]): return .ownPrivateKey
        case _ where tags.count == 9 && tags.allSatisfy({ $0 == integer }): return .ownPrivateKey
        default: return nil
        }
    }

    /// PKCS#12 begins with the number 3; many programs write it with lengths that DER does not have.
    private static func ofPKCS12(_ bytes: UnsafeRawBufferPointer) -> FileShape? {
        guard bytes.count > 8, unsafe bytes[0] == DERTag.sequence else { return nil }
        let octets = unsafe bytes[1] >= 0x80 ? Int(bytes[1] & 0x7F) : 0
        let version: [UInt8] = [DERTag.integer, 1, 3, DERTag.sequence]
        guard octets <= 4, unsafe bytes.dropFirst(2 + octets).starts(with: version) else { return nil }
        return .pkcs12
    }

    private static func ofText(_ bytes: UnsafeRawBufferPointer) -> FileShape? {
        for words in sshBeginnings where unsafe bytes.starts(with: words) { return .ssh }
        var isAtLineStart = true
        for index in bytes.indices {
            let byte = unsafe bytes[index]
            if isAtLineStart, byte == textBeginning[0], unsafe bytes[index...].starts(with: textBeginning) {
                return .text
            }
            isAtLineStart = byte == 0x0A || byte == 0x0D
        }
        return nil
    }

    private static let textBeginning = Array("-----BEGIN ".utf8)
    private static let sshBeginnings = ["ssh-", "ecdsa-sha2-", "sk-ssh-", "SSH PRIVATE KEY", "---- BEGIN SSH2 "].map {
        Array($0.utf8)
    }
}
