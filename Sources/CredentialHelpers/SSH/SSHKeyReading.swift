// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainModel
internal import KeychainTools

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
