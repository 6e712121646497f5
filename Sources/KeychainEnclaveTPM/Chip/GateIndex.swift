// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import KeychainCrypto
    internal import KeychainModel

    /// The index of a TPM's that counts the wrong tries at one gate, and never opens once they are too many.
    struct GateIndex {
        let number: UInt32
        let gate: GateID

        init(number: UInt32, gate: GateID) {
            self.number = number
            self.gate = gate
        }

        init(_ gate: GateRecord) { self.init(number: gate.index, gate: gate.id) }

        /// What the index is, before or after its numbers were first written.
        private func publicArea(isWritten: Bool) throws(Refusal) -> TPMS_NV_PUBLIC {
            var area = TPMS_NV_PUBLIC()
            area.nvIndex = number
            area.nameAlg = llv_alg_sha256
            area.attributes = llv_nv_pin_fail | (isWritten ? llv_nv_written : 0)
            // No policy has this digest, so none opens the index. It is there to make the index this gate's alone: what
            // is removed with the gate is never another's that got the same number.
            try copy(sha256(gate.bytes), to: &area.authPolicy.buffer, &area.authPolicy.size)
            area.dataSize = 8
            return area
        }

        /// The TPM's name for it: the digest of all that is public of it.
        func name(isWritten: Bool) throws(Refusal) -> [UInt8] {
            let area = try publicArea(isWritten: isWritten)
            let policy = try bytes(of: area.authPolicy.buffer, area.authPolicy.size)
            return bigEndian(area.nameAlg)
                + (try sha256(
                    bigEndian(area.nvIndex) + bigEndian(area.nameAlg) + bigEndian(area.attributes)
                        + bigEndian(area.authPolicy.size) + policy + bigEndian(area.dataSize)))
        }

        /// What a session's policy must have seen: the index's secret, and the secret of the object itself.
        ///
        /// The index alone is not enough: the TPM's owner can remove it and define one of the same name with a secret
        /// of his own. The object's secret alone is not enough: wrong tries would not be counted.
        func policy() throws(Refusal) -> [UInt8] {
            let none = [UInt8](repeating: 0, count: 32)
            let secret = try sha256(none + bigEndian(llv_command_policy_secret) + name(isWritten: true))
            // Again, with the reference: an empty one.
            return try sha256(sha256(secret) + bigEndian(llv_command_policy_auth_value))
        }

        /// Where the TPM has it; nil when there is none, or another's.
        func find(in chip: Chip, isWritten: Bool = true) throws(Refusal) -> ESYS_TR? {
            guard let handle = try chip.object(at: number) else { return nil }
            let name = try chip.name(of: handle)
            if try name == self.name(isWritten: true) { return handle }
            // As a crash leaves it between the definition and the first numbers.
            if !isWritten, try name == self.name(isWritten: false) { return handle }
            return nil
        }

        /// Makes the index, which opens for `authorization` and closes for good after so many wrong ones.
        func define(
            in chip: Chip, for authorization: borrowing ChipAuthorization, limit: UInt32, _ session: ChipSession
        ) throws(Refusal) {
            var area = TPM2B_NV_PUBLIC()
            area.nvPublic = try publicArea(isWritten: false)
            var handle = llv_tr_none
            try chip.set(session, hiding: .command)
            try unsafe chip.check(
                authorization.lend { value in
                    unsafe chip.functions.pointee.Esys_NV_DefineSpace(
                        chip.context, llv_tr_owner, session.handle, llv_tr_none, llv_tr_none, value, &area, &handle)
                })
            var numbers = TPM2B_MAX_NV_BUFFER()
            try copy(bigEndian(UInt32(0)) + bigEndian(limit), to: &numbers.buffer, &numbers.size)
            try unsafe chip.check(
                chip.functions.pointee.Esys_NV_Write(
                    chip.context, llv_tr_owner, handle, llv_tr_password, llv_tr_none, llv_tr_none, &numbers, 0))
        }

        /// Removes the index; that it is not there is no failure.
        func undefine(in chip: Chip) throws(Refusal) {
            guard let handle = try find(in: chip, isWritten: false) else { return }
            try unsafe chip.check(
                chip.functions.pointee.Esys_NV_UndefineSpace(
                    chip.context, llv_tr_owner, handle, llv_tr_password, llv_tr_none, llv_tr_none))
        }

        /// How many wrong tries there were, and how many there may be; nil when the TPM's owner keeps that to himself.
        func tries(
            in chip: Chip, at handle: ESYS_TR
        ) throws(Refusal) -> (failures: UInt32, limit: UInt32)? {
            var answer: UnsafeMutablePointer<TPM2B_MAX_NV_BUFFER>?
            defer { unsafe chip.free(answer) }
            // Never with the index's own secret: a wrong one would count.
            let refusal = unsafe Refusal(
                code: chip.functions.pointee.Esys_NV_Read(
                    chip.context, llv_tr_owner, handle, llv_tr_password, llv_tr_none, llv_tr_none, 8, 0, &answer))
            if refusal.isWrongAuthorization { return nil }
            guard refusal.code == 0 else { throw refusal }
            guard let answer = unsafe answer else { throw .malformed }
            let numbers = try unsafe bytes(of: answer.pointee.buffer, answer.pointee.size)
            guard numbers.count == 8 else { throw .malformed }
            return (number(numbers[..<4]), number(numbers[4...]))
        }

        private func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

        private func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
            unsafe withUnsafeBytes(of: number.bigEndian) { unsafe Array($0) }
        }

        private func sha256(_ bytes: [UInt8]) throws(Refusal) -> [UInt8] {
            do throws(CryptoError) {
                return try unsafe bytes.lendingBytes { (bytes) throws(CryptoError) in try unsafe Digest.sha256(bytes) }
            } catch { throw .malformed }
        }
    }

    extension Chip {
        /// Gives the session the policy that `GateIndex.policy` describes; throws when the authorisation is wrong, which
        /// the index counts.
        func satisfy(
            _ policy: ChipSession, with index: ESYS_TR, _ authorization: borrowing ChipAuthorization,
            _ session: ChipSession
        ) throws(Refusal) {
            try setAuthorization(authorization, of: index)
            try set(session, hiding: .nothing)
            try unsafe check(
                functions.pointee.Esys_PolicySecret(
                    context, index, policy.handle, session.handle, llv_tr_none, llv_tr_none, nil, nil, nil, 0, nil,
                    nil))
            try unsafe check(
                functions.pointee.Esys_PolicyAuthValue(
                    context, policy.handle, llv_tr_none, llv_tr_none, llv_tr_none))
        }
    }
#endif
