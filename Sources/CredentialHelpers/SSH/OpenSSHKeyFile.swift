// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCertificates
internal import KeychainKeys
package import KeychainModel
internal import KeychainTools

/// A private key as `ssh-keygen` writes it: "openssh-key-v1", with nothing encrypted.
package struct OpenSSHKeyFile {
    package enum Fault: Error, Equatable {
        /// Not this form at all.
        case otherForm
        /// Its passphrase is needed, which OpenSSH stretches in a way of its own.
        case encrypted
        /// A kind of key that the keychain has no place for.
        case otherKind
        case malformed
    }

    let key: SSHKey

    package init(_ text: SecretValue) throws(Fault) {
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

    /// The same of what is between its two lines, decoded.
    package init(content: SecretValue) throws(Fault) {
        let parts: Parts
        do throws(SSHReader.Malformed) { parts = try Parts(content) } catch { throw .malformed }
        guard parts.isPlain else { throw .encrypted }
        let key: SSHKey?
        do throws(SSHReader.Malformed) { key = try OpenSSHKeyFile.key(in: parts.inside) } catch { throw .malformed }
        guard let key else { throw .otherKind }
        // Two halves of two keys would be a trap.
        guard key.publicBlob.isEqualInConstantTime(to: parts.outside) else { throw .malformed }
        self.key = key
    }

    /// The public half, as SSH writes it.
    package var publicBlob: SecretValue { key.publicBlob }

    /// What is outside of the part that could be encrypted, and that part.
    private struct Parts {
        let isPlain: Bool
        let outside: SecretValue
        let inside: SecretValue

        init(_ content: SecretValue) throws(SSHReader.Malformed) {
            var reader = SSHReader(content)
            let magic = SecretValue(copying: Array("openssh-key-v1".utf8) + [0])
            guard try reader.take(magic.count).isEqualInConstantTime(to: magic) else { throw SSHReader.Malformed() }
            let (cipher, derivation) = (try reader.text(), try reader.text())
            isPlain = try reader.string().count == 0 && cipher == "none" && derivation == "none"
            guard try reader.number() == 1 else { throw SSHReader.Malformed() }
            (outside, inside) = (try reader.string(), try reader.string())
            guard reader.isAtEnd else { throw SSHReader.Malformed() }
        }
    }

    /// nil of a kind that is not known here.
    private static func key(in inside: SecretValue) throws(SSHReader.Malformed) -> SSHKey? {
        var reader = SSHReader(inside)
        guard inside.count % 8 == 0, try reader.number() == reader.number() else { throw SSHReader.Malformed() }
        guard let kind = SSHKeyKind(rawValue: try reader.text()) else { return nil }
        let key = try kind.key(&reader)
        let comment = try reader.text()
        var padding: UInt8 = 1
        while !reader.isAtEnd {
            guard padding < 8, try reader.byte() == padding else { throw SSHReader.Malformed() }
            padding += 1
        }
        return SSHKey(key, label: comment)
    }
}

/// A private key out of a file of OpenSSH's, with advice where it is none.
enum SSHKeyReading {
    static func key(_ path: String) throws(CommandError) -> SSHKey {
        // A pipe is not waited for.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .failure("\(path) cannot be opened (\(errno))") }
        defer { close(descriptor) }
        var facts = stat()
        guard unsafe fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size < 1 << 20 else {
            throw .failure("\(path) is no file of a key")
        }
        let text = try SecretInput.all(from: descriptor, line: false)
        do throws(OpenSSHKeyFile.Fault) { return try OpenSSHKeyFile(text).key } catch {
            switch error {
            case .encrypted:
                throw .failure(
                    """
                    \(path) has a passphrase: either keep the file, and its passphrase in the keychain (`llavero help \
                    ssh-add` and llavero-askpass), or take the passphrase off a copy with `ssh-keygen -p -N '' -f COPY`, \
                    store that, and remove it
                    """)
            case .otherForm:
                throw .failure(
                    "\(path) is no private key of OpenSSH's form; `ssh-keygen -p -f FILE` turns a copy into one")
            case .otherKind: throw .failure("\(path) has a kind of key that the keychain has no place for")
            case .malformed: throw .failure("\(path) is damaged")
            }
        }
    }
}
