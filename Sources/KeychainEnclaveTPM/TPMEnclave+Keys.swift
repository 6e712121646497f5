// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    package import KeychainEnclave
    package import KeychainModel

    extension TPMEnclave {
        package func makeKey() throws(EnclaveError) -> EnclaveKey {
            try visit { visit throws(EnclaveError) in
                let authorization = try Authorization(of: visit.record.keychain)
                return try EnclaveError.translating { () throws(Refusal) in
                    let chip = visit.chip
                    let session = try chip.startSession(.authorization, under: visit.storageKey)
                    let object = try unsafe chip.make(
                        .userKey, sealing: UnsafeRawBufferPointer(start: nil, count: 0), for: authorization,
                        under: visit.storageKey, in: session)
                    let publicKey = try chip.areas(of: object, like: .userKey).publicArea.point()
                    return EnclaveKey(
                        publicKey: publicKey, blob: [blobVersion] + visit.storageKey.name + object.bytes)
                }
            }
        }

        package func signature(of digest: [UInt8], with key: EnclaveKey) throws(EnclaveError) -> [UInt8] {
            try visit { visit throws(EnclaveError) in
                let loaded = try visit.load(key)
                do throws(Refusal) {
                    // The number that is signed: the digest's leftmost bits, or all of it.
                    let zeros = [UInt8](repeating: 0, count: max(0, 32 - digest.count))
                    let (r, s) = try visit.chip.sign(zeros + digest.prefix(32), with: loaded)
                    return try ECDSASignature.encode(r: r, s: s)
                } catch { throw EnclaveError(using: error) }
            }
        }

        package func sharedSecret(of key: EnclaveKey, with publicKey: [UInt8]) throws(EnclaveError) -> SecretBytes {
            guard publicKey.count == 65, publicKey[0] == 4 else { throw .invalidPublicKey }
            return try visit { visit throws(EnclaveError) in
                let loaded = try visit.load(key)
                do throws(Refusal) {
                    let session = try visit.chip.startSession(.authorization, under: visit.storageKey)
                    return try visit.chip.sharedSecret(
                        loaded, x: Array(publicKey[1..<33]), y: Array(publicKey[33...]), in: session)
                } catch { throw error.isAboutContent ? .invalidPublicKey : EnclaveError(using: error) }
            }
        }
    }

    extension EnclaveVisit {
        /// Loads a key that was made by this enclave.
        fileprivate func load(_ key: EnclaveKey) throws(EnclaveError) -> ESYS_TR {
            let head = [blobVersion] + storageKey.name
            guard key.blob.starts(with: head) else { throw .foreignKey }
            let object = KeptObject(bytes: Array(key.blob.dropFirst(head.count)))
            let authorization = try Authorization(of: record.keychain)
            do throws(Refusal) {
                let (handle, publicArea) = try chip.load(object, like: .userKey, under: storageKey)
                guard try publicArea.point() == key.publicKey else { throw .malformed }
                try chip.setAuthorization(authorization, of: handle)
                return handle
            } catch { throw error.isAboutContent ? .foreignKey : EnclaveError(error) }
        }
    }

    extension EnclaveError {
        /// What a refusal to use a key means: with the wrong authorisation it is another keychain's.
        fileprivate init(using refusal: Refusal) {
            self = refusal.isWrongAuthorization ? .foreignKey : EnclaveError(refusal)
        }
    }

    private let blobVersion: UInt8 = 1
#endif
