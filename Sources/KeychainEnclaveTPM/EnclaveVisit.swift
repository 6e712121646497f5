// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import KeychainEnclave
    internal import KeychainModel

    /// A visit to the TPM that a keychain was made with, and what the keychain's file says.
    struct EnclaveVisit {
        let chip: Chip
        let storageKey: StorageKey
        let record: DeviceRecord
    }

    extension TPMEnclave {
        /// Runs `body` when it is the right TPM; nobody else of this process visits it meanwhile.
        func visit<Result: ~Copyable>(
            _ body: (EnclaveVisit) throws(EnclaveError) -> sending Result
        ) throws(EnclaveError) -> sending Result {
            try place.turn.withLock { _ throws(EnclaveError) in
                let record = try file.read().record
                return try Chip.visit(place) { chip throws(EnclaveError) in
                    let storageKey = try chip.storageKey(of: record)
                    return try body(EnclaveVisit(chip: chip, storageKey: storageKey, record: record))
                }
            }
        }
    }

    extension Chip {
        /// The storage key that the record names; else says what became of it.
        fileprivate func storageKey(of record: DeviceRecord) throws(EnclaveError) -> StorageKey {
            let failure: EnclaveError
            do throws(Refusal) {
                if let key = try storageKey(named: record.storageKeyName, at: record.storageKeyPlace) { return key }
                failure = .wasReset
            } catch {
                guard error.isFromChip else { throw EnclaveError(error) }
                failure = EnclaveError(error)
            }
            // Slow on a real chip, and asked only when something is amiss.
            let name = try EnclaveError.translating { () throws(Refusal) in try endorsementKeyName() }
            // Without a name to compare, that it was cleared would be a guess, and one that makes people give up.
            guard let name, name == record.endorsementKeyName else { throw .otherDevice }
            throw failure
        }
    }
#endif
