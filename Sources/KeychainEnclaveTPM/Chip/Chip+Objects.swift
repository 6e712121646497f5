// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import KeychainModel

    extension Chip {
        /// What the TPM has at one of its own handles, if anything.
        ///
        /// It is not flushed: it was there before us.
        func object(at number: UInt32) throws(Refusal) -> ESYS_TR? {
            var handle = llv_tr_none
            let refusal = unsafe Refusal(
                code: functions.pointee.Esys_TR_FromTPMPublic(
                    context, number, llv_tr_none, llv_tr_none, llv_tr_none, &handle))
            if refusal.isMissing { return nil }
            guard refusal.code == 0 else { throw refusal }
            return handle
        }

        /// The digest of all that is public of an object: computed from it here, not taken from the TPM's answer.
        func name(of handle: ESYS_TR) throws(Refusal) -> [UInt8] {
            var name: UnsafeMutablePointer<TPM2B_NAME>?
            defer { unsafe free(name) }
            try unsafe check(functions.pointee.Esys_TR_GetName(context, handle, &name))
            guard let name = unsafe name else { throw .malformed }
            return try unsafe bytes(of: name.pointee.name, name.pointee.size)
        }

        /// Makes an object; `secret` is what is sealed in it, and empty for a key.
        func make(
            _ template: TPM2B_PUBLIC, sealing secret: UnsafeRawBufferPointer,
            for authorization: borrowing Authorization, under key: StorageKey, in session: ChipSession
        ) throws(Refusal) -> KeptObject {
            let hidden = try unsafe SecretStructure<TPM2B_SENSITIVE_CREATE> { (structure) throws(Refusal) in
                unsafe authorization.lend { value in
                    guard let value = unsafe value else { return }
                    // From one to the other, and nowhere between.
                    unsafe withUnsafeMutablePointer(to: &structure.pointee.sensitive.userAuth) { place in
                        unsafe place.update(from: value, count: 1)
                    }
                }
                try unsafe copy(
                    secret, to: &structure.pointee.sensitive.data.buffer, &structure.pointee.sensitive.data.size)
            }
            var (template, data, registers) = (template, TPM2B_DATA(), TPML_PCR_SELECTION())
            var privateArea: UnsafeMutablePointer<TPM2B_PRIVATE>?
            var publicArea: UnsafeMutablePointer<TPM2B_PUBLIC>?
            defer { unsafe free(privateArea) }
            defer { unsafe free(publicArea) }
            try set(session, hiding: .command)
            try unsafe check(
                hidden.lend { hidden in
                    unsafe functions.pointee.Esys_Create(
                        context, key.handle, session.handle, llv_tr_none, llv_tr_none, hidden, &template, &data,
                        &registers, &privateArea, &publicArea, nil, nil, nil)
                })
            guard let publicArea = unsafe publicArea, let privateArea = unsafe privateArea else { throw .malformed }
            return try unsafe kept(publicArea, privateArea)
        }

        /// Loads an object that must be as `template` says.
        func load(
            _ object: KeptObject, like template: TPM2B_PUBLIC, under key: StorageKey
        ) throws(Refusal) -> (handle: ESYS_TR, publicArea: TPM2B_PUBLIC) {
            var (publicArea, privateArea) = try areas(of: object, like: template)
            var handle = llv_tr_none
            // The private area is encrypted as it is, and the storage key has no password: nothing to hide.
            try unsafe check(
                functions.pointee.Esys_Load(
                    context, key.handle, llv_tr_password, llv_tr_none, llv_tr_none, &privateArea, &publicArea,
                    &handle))
            return (keep(handle), publicArea)
        }

        /// The 32 bytes that are sealed in an object.
        func unseal(_ handle: ESYS_TR, in session: ChipSession) throws(Refusal) -> SecretBytes {
            var answer: UnsafeMutablePointer<TPM2B_SENSITIVE_DATA>?
            defer { unsafe wipeAndFree(answer) }
            try set(session, hiding: .answer)
            try unsafe check(
                functions.pointee.Esys_Unseal(
                    context, handle, session.handle, llv_tr_none, llv_tr_none, &answer))
            guard let answer = unsafe answer, unsafe answer.pointee.size == 32 else { throw .malformed }
            return unsafe withUnsafeBytes(of: &answer.pointee.buffer) { buffer in
                unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: buffer[..<32]))
            }
        }
    }
#endif
