// SPDX-License-Identifier: Apache-2.0

#if !TPM
    package import KeychainCrypto
    package import KeychainModel

    /// What stands for the TPM's enclave in a build without the trait `TPM`: it has nothing and makes nothing.
    package struct TPMEnclave: AttestingEnclave {
        package var kind: EnclaveKind { .tpm }

        /// Where tpm2-tss is, in words.
        package static var library: String { "not in this build" }

        package init(path: String, connection: String, timeout: Int32 = 60_000) {}

        package func create(
            for keychain: KeychainUUID, _ turn: borrowing OwnerLock
        ) throws(EnclaveError) -> DeviceRoot { throw .notBuilt }

        package func deviceRoot() throws(EnclaveError) -> DeviceRoot { throw .notBuilt }

        package func isWhole() throws(EnclaveError) -> Bool { throw .notBuilt }

        package func mend(_ turn: borrowing OwnerLock) throws(EnclaveError) { throw .notBuilt }

        package func makeGate(
            for key: borrowing SecretBytes, eraseAfter: UInt32, _ turn: borrowing OwnerLock
        ) throws(EnclaveError) -> NewGate { throw .notBuilt }

        package func openGate(
            _ gate: GateID, with key: borrowing SecretBytes, at now: Double, _ turn: borrowing OwnerLock
        ) throws(EnclaveError) -> SecretBytes { throw .notBuilt }

        package func destroyGate(_ gate: GateID, _ turn: borrowing OwnerLock) throws(EnclaveError) { throw .notBuilt }

        package func gates() throws(EnclaveError) -> [GateState] { throw .notBuilt }

        package func makeKey() throws(EnclaveError) -> EnclaveKey { throw .notBuilt }

        package func signature(of digest: [UInt8], with key: EnclaveKey) throws(EnclaveError) -> [UInt8] {
            throw .notBuilt
        }

        package func sharedSecret(of key: EnclaveKey, with publicKey: [UInt8]) throws(EnclaveError) -> SecretBytes {
            throw .notBuilt
        }

        package func endorsementKey(isRSA: Bool) throws(EnclaveError) -> [UInt8] { throw .notBuilt }

        package func certify(_ key: EnclaveKey, over digest: [UInt8]) throws(EnclaveError) -> KeyCertification {
            throw .notBuilt
        }

        package func activate(_ credential: [UInt8]) throws(EnclaveError) -> SecretBytes { throw .notBuilt }

        package func description() -> EnclaveDescription {
            EnclaveDescription(
                kind: kind, summary: "This build has no TPM enclave.",
                warnings: ["Build with the package trait TPM to use one."])
        }
    }
#endif
