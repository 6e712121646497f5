// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto
package import KeychainEnclave
package import KeychainModel

/// An enclave without hardware: the device root in a file that only its owner can read.
///
/// It keeps a copied database shut, and nothing more: whoever copies the file as well has everything.
package struct SoftwareEnclave: Enclave {
    private let path: String

    package var kind: EnclaveKind { .software }

    /// The enclave of a keychain whose device key lies at `path`.
    package init(path: String) {
        self.path = path
    }

    package func deviceRoot() throws(EnclaveError) -> DeviceRoot {
        let file = try DeviceKeyFile.read(path)
        return try DeviceRoot.software(file.root.clone())
    }

    /// Makes the device key of a new keychain.
    ///
    /// The file must not exist yet, and is on the disk when this returns.
    package func create(for keychain: KeychainUUID) throws(EnclaveError) -> DeviceRoot {
        let root = try DeviceRoot.randomKey()
        try DeviceKeyFile.write(root, of: keychain, to: path)
        return try DeviceRoot.software(root)
    }

    /// Whether both copies of the key in the file are whole.
    package func isWhole() throws(EnclaveError) -> Bool { try !DeviceKeyFile.read(path).isHalfDamaged }
}

/// An enclave for keychains in memory: its root dies with it.
package final class MemoryEnclave: Enclave {
    private let root: SecretBytes

    package var kind: EnclaveKind { .software }

    package init() throws(EnclaveError) { root = try DeviceRoot.randomKey() }

    package func deviceRoot() throws(EnclaveError) -> DeviceRoot { try DeviceRoot.software(root.clone()) }
}

extension DeviceRoot {
    static func randomKey() throws(EnclaveError) -> SecretBytes {
        do throws(CryptoError) {
            return try unsafe SecretBytes(count: 32) { (buffer) throws(CryptoError) in try unsafe fillRandom(buffer) }
        } catch { throw .failed(Int64(EIO)) }
    }

    /// A software root; its binding is derived from the key, so that another key is noticed before it is used.
    static func software(_ key: consuming SecretBytes) throws(EnclaveError) -> DeviceRoot {
        let binding: [UInt8]
        do throws(CryptoError) {
            binding = try unsafe key.withUnsafeBytes { (root) throws(CryptoError) in
                try unsafe [UInt8](count: 16) { (buffer) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: root, salt: [], info: Array("llavero software enclave".utf8), into: buffer)
                }
            }
        } catch { throw .damaged }
        return DeviceRoot(key: key, binding: binding)
    }
}
