// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import Glibc
    internal import KeychainCrypto
    internal import KeychainEnclave
    internal import KeychainModel

    extension DeviceRoot {
        /// A root that a TPM keeps; its binding is derived from the key, so that another is noticed before it is used.
        init(ofTPM key: consuming SecretBytes) throws(EnclaveError) {
            let binding: [UInt8]
            do throws(CryptoError) {
                binding = try unsafe key.withUnsafeBytes { (root) throws(CryptoError) in
                    try unsafe [UInt8](count: 16) { (buffer) throws(CryptoError) in
                        try unsafe KeyDerivation.hkdf(
                            secret: root, salt: [], info: Array("llavero tpm enclave".utf8), into: buffer)
                    }
                }
            } catch { throw .damaged }
            self.init(key: key, binding: binding)
        }
    }

    extension Chip {
        /// Seals a new root, under the storage key for everybody if that can be used.
        func sealRoot(
            _ root: borrowing SecretBytes, for authorization: borrowing Authorization
        ) throws(Refusal) -> (StorageKey, KeptObject) {
            let shared = try sharedStorageKey()
            do throws(Refusal) {
                let session = try startSession(.authorization, under: shared)
                return (shared, try seal(root, .sealedForValue, for: authorization, under: shared, in: session))
            } catch {
                // It has a password of somebody's, which its public area does not tell.
                guard error.isWrongAuthorization else { throw error }
            }
            let own = try ownStorageKey()
            let session = try startSession(.authorization, under: own)
            return (own, try seal(root, .sealedForValue, for: authorization, under: own, in: session))
        }

        func seal(
            _ secret: borrowing SecretBytes, _ template: TPM2B_PUBLIC, for authorization: borrowing Authorization,
            under key: StorageKey, in session: ChipSession
        ) throws(Refusal) -> KeptObject {
            try unsafe secret.withUnsafeBytes { (secret) throws(Refusal) in
                try unsafe make(template, sealing: secret, for: authorization, under: key, in: session)
            }
        }
    }
#endif
