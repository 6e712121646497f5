// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2

    /// The key of a TPM's under which everything of ours is made.
    struct StorageKey {
        let handle: ESYS_TR
        /// Where the TPM keeps it; 0 when it is made anew for every visit.
        let place: UInt32
        /// A digest of all that is public of it.
        let name: [UInt8]
    }

    extension Chip {
        /// The shared storage key of this TPM, which is made where there is none.
        func sharedStorageKey() throws(Refusal) -> StorageKey {
            if let handle = try object(at: sharedPlace), try isStorageKey(handle) {
                return StorageKey(handle: handle, place: sharedPlace, name: try name(of: handle))
            }
            return try ownStorageKey(at: [sharedPlace] + ownPlaces)
        }

        /// A storage key of our making, not at the shared place.
        func ownStorageKey() throws(Refusal) -> StorageKey { try ownStorageKey(at: ownPlaces) }

        /// The storage key of that name, wherever it is; nil when the TPM has none such, and cannot make it.
        func storageKey(named name: [UInt8], at place: UInt32) throws(Refusal) -> StorageKey? {
            if place != 0, let handle = try object(at: place), try self.name(of: handle) == name {
                return StorageKey(handle: handle, place: place, name: name)
            }
            let handle = try primary(of: llv_tr_owner, .storageKey)
            return try self.name(of: handle) == name ? StorageKey(handle: handle, place: 0, name: name) : nil
        }

        /// The name of the key that tells a TPM from every other, and outlives clearing; nil when it is kept from us.
        func endorsementKeyName() throws(Refusal) -> [UInt8]? {
            do throws(Refusal) {
                let handle = try primary(of: llv_tr_endorsement, .endorsementKey())
                defer { flush(handle) }
                return try name(of: handle)
            } catch {
                if error.isFromChip { return nil }
                throw error
            }
        }

        private func ownStorageKey(at places: [UInt32]) throws(Refusal) -> StorageKey {
            let made = try primary(of: llv_tr_owner, .storageKey)
            let name = try name(of: made)
            for place in places {
                let handle: ESYS_TR
                if let there = try object(at: place) {
                    guard try self.name(of: there) == name else { continue }
                    handle = there
                } else if let kept = try persist(made, at: place) {
                    handle = kept
                } else {
                    // Refused: its owner has a password, or there is no room. It costs time, and nothing else.
                    break
                }
                flush(made)
                return StorageKey(handle: handle, place: place, name: name)
            }
            return StorageKey(handle: made, place: 0, name: name)
        }

        private func persist(_ handle: ESYS_TR, at place: UInt32) throws(Refusal) -> ESYS_TR? {
            var kept = llv_tr_none
            let refusal = unsafe Refusal(
                code: functions.pointee.Esys_EvictControl(
                    context, llv_tr_owner, handle, llv_tr_password, llv_tr_none, llv_tr_none, place, &kept))
            if refusal.code == 0 { return kept }
            if refusal.isFromChip { return nil }
            throw refusal
        }

        func primary(of hierarchy: ESYS_TR, _ template: TPM2B_PUBLIC) throws(Refusal) -> ESYS_TR {
            var (template, secret) = (template, TPM2B_SENSITIVE_CREATE())
            var (data, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
            var handle = llv_tr_none
            try unsafe check(
                functions.pointee.Esys_CreatePrimary(
                    context, hierarchy, llv_tr_password, llv_tr_none, llv_tr_none, &secret, &template, &data,
                    &registers, &handle, nil, nil, nil, nil))
            return keep(handle)
        }

        /// Whether a key that another program made does what ours would.
        private func isStorageKey(_ handle: ESYS_TR) throws(Refusal) -> Bool {
            var answer: UnsafeMutablePointer<TPM2B_PUBLIC>?
            defer { unsafe free(answer) }
            try unsafe check(
                functions.pointee.Esys_ReadPublic(
                    context, handle, llv_tr_none, llv_tr_none, llv_tr_none, &answer, nil, nil))
            guard let answer = unsafe answer else { throw .malformed }
            let (found, ours) = unsafe (answer.pointee.publicArea, TPM2B_PUBLIC.storageKey.publicArea)
            return unsafe found.type == ours.type && found.nameAlg == ours.nameAlg
                && found.objectAttributes == ours.objectAttributes && found.authPolicy.size == 0
                && found.parameters.eccDetail.curveID == ours.parameters.eccDetail.curveID
                && found.parameters.eccDetail.symmetric.algorithm == ours.parameters.eccDetail.symmetric.algorithm
                && found.parameters.eccDetail.symmetric.mode.aes == ours.parameters.eccDetail.symmetric.mode.aes
        }
    }

    /// Where the TCG's guidance has the storage key.
    private let sharedPlace: UInt32 = 0x8100_0001
    /// Among the places for owners, where other programs are unlikely to be.
    private let ownPlaces: [UInt32] = Array(0x8100_4c40..<0x8100_4c48)
#endif
