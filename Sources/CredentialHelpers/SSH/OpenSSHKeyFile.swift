// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainExchange
internal import KeychainKeys
package import KeychainModel
internal import KeychainTools

/// An unencrypted private key as `ssh-keygen` writes it ("openssh-key-v1").
package struct OpenSSHKeyFile {
    let key: SSHKey

    package init(_ text: SecretValue) throws(SSHError) {
        let blocks: [PEMBlock]
        do throws(ExchangeError) {
            blocks = try unsafe text.withUnsafeBytes { (bytes) throws(ExchangeError) in try unsafe PEM.blocks(in: bytes)
            }
        } catch { throw .otherForm }
        guard let block = blocks.first, blocks.count == 1, block.label == "OPENSSH PRIVATE KEY" else {
            throw .otherForm
        }
        try self.init(content: SecretValue(copying: block.content))
    }

    /// The same for the decoded contents.
    package init(content: SecretValue) throws(SSHError) {
        let parts = try Parts(content)
        guard parts.isPlain else { throw .encrypted }
        guard let key = try OpenSSHKeyFile.key(in: parts.inside) else { throw .otherKind }
        // Halves of two different keys must not be accepted.
        guard key.publicBlob.isEqualInConstantTime(to: parts.outside) else { throw .malformed }
        self.key = key
    }

    /// The public half, as SSH writes it.
    package var publicBlob: SecretValue { key.publicBlob }

    /// The part that is always unencrypted, and the part that could be encrypted.
    private struct Parts {
        let isPlain: Bool
        let outside: SecretValue
        let inside: SecretValue

        init(_ content: SecretValue) throws(SSHError) {
            var reader = SSHReader(content)
            let magic = SecretValue(copying: Array("openssh-key-v1".utf8) + [0])
            guard try reader.take(magic.count).isEqualInConstantTime(to: magic) else { throw .malformed }
            let (cipher, derivation) = (try reader.text(), try reader.text())
            isPlain = try reader.string().count == 0 && cipher == "none" && derivation == "none"
            guard try reader.number() == 1 else { throw .malformed }
            (outside, inside) = (try reader.string(), try reader.string())
            guard reader.isAtEnd else { throw .malformed }
        }
    }

    /// nil for an unsupported kind.
    private static func key(in inside: SecretValue) throws(SSHError) -> SSHKey? {
        var reader = SSHReader(inside)
        guard inside.count % 8 == 0, try reader.number() == reader.number() else { throw .malformed }
        guard let kind = SSHKeyKind(rawValue: try reader.text()) else { return nil }
        let key = try kind.key(&reader)
        let comment = try reader.text()
        var padding: UInt8 = 1
        while !reader.isAtEnd {
            guard padding < 8, try reader.byte() == padding else { throw .malformed }
            padding += 1
        }
        return SSHKey(key, label: comment)
    }
}

/// A private key from an OpenSSH file, with advice if it cannot be read.
enum SSHKeyReading {
    static func key(_ path: String) throws(CommandError) -> SSHKey {
        // Opening a pipe must not block.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .failure("\(path) cannot be opened (\(errno))") }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size < 1 << 20 else {
            throw .failure("\(path) is not a key file")
        }
        let text = try SecretInput.all(from: descriptor, line: false)
        do throws(SSHError) { return try OpenSSHKeyFile(text).key } catch {
            switch error {
            case .encrypted:
                throw .failure(
                    """
                    \(path) has a passphrase: either keep the file, and store its passphrase in the keychain (`man \
                    llavero-askpass`), or remove the passphrase from a copy with `ssh-keygen -p -N '' -f COPY`, \
                    store that copy, and delete it
                    """)
            case .otherForm where isPublicHalf(text):
                let name = path.hasSuffix(".pub") ? " is \(path.dropLast(4))" : " has the same name without .pub"
                throw .failure("\(path) is the public half of a key; the private one\(name), if it was not renamed")
            case .otherForm:
                throw .failure(
                    "\(path) is not a private key in OpenSSH format; `ssh-keygen -p -f COPY` converts a copy")
            case .otherKind: throw .failure("\(path) has a kind of key that the keychain does not support")
            case .malformed: throw .failure("\(path) is damaged")
            }
        }
    }

    /// As `ssh-keygen` writes it in a line, or in one of the forms with armour.
    private static func isPublicHalf(_ text: SecretValue) -> Bool {
        let beginnings = [
            "ssh-", "ecdsa-sha2-", "sk-ssh-", "sk-ecdsa-", "---- BEGIN SSH2 PUBLIC KEY", "-----BEGIN PUBLIC KEY",
            "-----BEGIN RSA PUBLIC KEY",
        ]
        return unsafe text.withUnsafeBytes { bytes in
            beginnings.contains { unsafe bytes.starts(with: $0.utf8) }
        }
    }
}
