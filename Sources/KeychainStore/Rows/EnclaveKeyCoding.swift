// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
package import KeychainEnclave
package import KeychainModel

/// A key of the enclave's as an item keeps it: where other keys have their bytes.
package enum EnclaveKeyCoding {
    package static func encode(_ key: EnclaveKey) throws(KeychainError) -> SecretValue {
        let list = PropertyList.dictionary(["public": .data(key.publicKey), "blob": .data(key.blob)])
        do throws(CodingError) {
            let bytes = try list.encoded()
            return unsafe bytes.span.bytes.withUnsafeBytes { bytes in unsafe SecretValue(copying: bytes) }
        } catch { throw KeychainError(.internalError, "a key of the enclave could not be written down") }
    }

    /// nil when the bytes are no such key's.
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> EnclaveKey? {
        guard case .dictionary(let parts)? = unsafe try? PropertyList(decoding: Array(bytes)), parts.count == 2,
            case .data(let publicKey)? = parts["public"], case .data(let blob)? = parts["blob"]
        else { return nil }
        return EnclaveKey(publicKey: publicKey, blob: blob)
    }
}
