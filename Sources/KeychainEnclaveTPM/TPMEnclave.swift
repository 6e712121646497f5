// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Glibc
    package import KeychainEnclave
    package import KeychainModel

    /// An enclave in a TPM 2.0: what a copied disk lacks, and what counts wrong passcodes.
    ///
    /// Its file says what is where in the TPM, and keeps what the TPM has encrypted for itself. Whoever may use the TPM
    /// and reads the file has the device root, as this program has; nobody has it elsewhere.
    package struct TPMEnclave: Enclave {
        let file: DeviceFile
        let place: ChipPlace

        package var kind: EnclaveKind { .tpm }

        /// The enclave of a keychain whose file lies at `path`, which is absolute.
        ///
        /// `connection` is "device:/dev/tpmrm0", or "swtpm:path=" and the path of a socket. The TPM has `patience`
        /// milliseconds for each answer.
        package init(path: String, connection: String, patience: Int32 = 60_000) {
            file = DeviceFile(path: path)
            place = ChipPlace(connection: connection, patience: patience)
        }

        /// Makes the root of a new keychain, and the file, which must not exist yet and is on the disk in the end.
        package func create(
            for keychain: KeychainUUID, _ turn: borrowing OwnersTurn
        ) throws(EnclaveError) -> DeviceRoot {
            try place.turn.withLock { _ throws(EnclaveError) in
                guard try !file.exists() else { throw .unreadable(EEXIST) }
                let key = try SecretBytes.random32()
                let authorization = try Authorization(of: keychain)
                let record = try Chip.visit(place) { chip throws(EnclaveError) in
                    try EnclaveError.translating { () throws(Refusal) in
                        let (storageKey, root) = try chip.sealRoot(key, for: authorization)
                        return DeviceRecord(
                            keychain: keychain, storageKeyPlace: storageKey.place, storageKeyName: storageKey.name,
                            endorsementKeyName: try chip.endorsementKeyName() ?? [], root: root)
                    }
                }
                try file.write(record)
                return try DeviceRoot(ofTPM: key)
            }
        }

        package func deviceRoot() throws(EnclaveError) -> DeviceRoot {
            try visit { visit throws(EnclaveError) in
                let (chip, storageKey) = (visit.chip, visit.storageKey)
                let authorization = try Authorization(of: visit.record.keychain)
                let key: SecretBytes
                do throws(Refusal) {
                    let root = try chip.load(visit.record.root, like: .sealedForValue, under: storageKey).handle
                    try chip.setAuthorization(authorization, of: root)
                    key = try chip.unseal(root, in: chip.startSession(.authorization, under: storageKey))
                } catch {
                    // The storage key is the right one, so it is the file.
                    throw error.isAboutContent || error.isWrongAuthorization ? .damaged : EnclaveError(error)
                }
                return try DeviceRoot(ofTPM: key)
            }
        }

        /// Whether both copies of what is in the file are whole.
        package func isWhole() throws(EnclaveError) -> Bool { try !file.read().isHalfDamaged }
    }
#endif
