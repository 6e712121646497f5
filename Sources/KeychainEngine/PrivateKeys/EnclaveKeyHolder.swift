// SPDX-License-Identifier: Apache-2.0

internal import KeychainEnclave
internal import KeychainKeys
internal import KeychainModel

/// A key of an enclave's, for the module of keys: it asks, and the enclave does what only it can do.
final class EnclaveKeyHolder: KeyHolder {
    private let enclave: any Enclave
    private let key: EnclaveKey
    /// What the enclave said when it last refused; the module of keys only passes on that somebody did.
    private let refusal = ForkSafeMutex<EnclaveError?>(nil)

    init(_ enclave: any Enclave, _ key: EnclaveKey) {
        self.enclave = enclave
        self.key = key
    }

    func signature(ofDigest digest: [UInt8]) throws(KeyError) -> [UInt8] {
        do throws(EnclaveError) { return try enclave.signature(of: digest, with: key) } catch {
            throw refused(error)
        }
    }

    func sharedSecret(with publicKey: [UInt8]) throws(KeyError) -> SecretBytes {
        do throws(EnclaveError) { return try enclave.sharedSecret(of: key, with: publicKey) } catch {
            throw refused(error)
        }
    }

    /// What a failed operation means, in the enclave's words where it was the enclave that failed.
    func explanation(of error: KeyError) -> KeychainError {
        guard case .holder = error, let refusal = refusal.withLock({ $0 }) else { return KeychainError(error) }
        return KeychainError(refusal, of: enclave.kind)
    }

    private func refused(_ error: EnclaveError) -> KeyError {
        refusal.withLock { $0 = error }
        return .holder(0)
    }
}
