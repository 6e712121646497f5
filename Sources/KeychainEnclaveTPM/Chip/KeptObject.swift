// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import KeychainCrypto
    internal import KeychainModel

    /// An object of a TPM's as it is kept outside: its public area, and a private one that only the TPM can read.
    struct KeptObject: Sendable, Equatable {
        /// TPM2B_PUBLIC and TPM2B_PRIVATE as the TPM's own encoding has them.
        let bytes: [UInt8]

        /// The two structures; each begins with its size, and nothing may be left over.
        func parts() throws(Refusal) -> (publicArea: [UInt8], privateArea: [UInt8]) {
            let first = try part(at: 0)
            let second = try part(at: first.count)
            guard first.count + second.count == bytes.count else { throw .malformed }
            return (first, second)
        }

        private func part(at start: Int) throws(Refusal) -> [UInt8] {
            guard bytes.count >= start + 2 else { throw .malformed }
            let end = start + 2 + (Int(bytes[start]) << 8 | Int(bytes[start + 1]))
            guard bytes.count >= end else { throw .malformed }
            return Array(bytes[start..<end])
        }
    }

    extension Chip {
        func kept(
            _ publicArea: UnsafePointer<TPM2B_PUBLIC>, _ privateArea: UnsafePointer<TPM2B_PRIVATE>
        ) throws(Refusal) -> KeptObject {
            var end = 0
            let count = MemoryLayout<TPM2B_PRIVATE>.size
            let hidden = try unsafe [UInt8](count: count) { (buffer) throws(Refusal) in
                let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                try unsafe check(functions.pointee.Tss2_MU_TPM2B_PRIVATE_Marshal(privateArea, start, count, &end))
            }
            return try unsafe KeptObject(bytes: encoding(of: publicArea) + hidden.prefix(end))
        }

        /// Both areas of an object, when the public one is `template` with a `unique` of the object's own.
        func areas(
            of object: KeptObject, like template: TPM2B_PUBLIC
        ) throws(Refusal) -> (publicArea: TPM2B_PUBLIC, privateArea: TPM2B_PRIVATE) {
            let (first, second) = try object.parts()
            var publicArea = TPM2B_PUBLIC()
            var privateArea = TPM2B_PRIVATE()
            var (firstEnd, secondEnd) = (0, 0)
            let functions = unsafe self.functions.pointee
            try unsafe check(functions.Tss2_MU_TPM2B_PUBLIC_Unmarshal(first, first.count, &firstEnd, &publicArea))
            try unsafe check(functions.Tss2_MU_TPM2B_PRIVATE_Unmarshal(second, second.count, &secondEnd, &privateArea))
            guard firstEnd == first.count, secondEnd == second.count else { throw .malformed }
            // The TPM will find out whether the areas belong together. That the object does what we take it to do, and
            // nothing else, is ours to find out: any program can make others under the same storage key.
            var (plain, expected) = (publicArea, template)
            plain.publicArea.unique = template.publicArea.unique
            guard try unsafe encoding(of: &publicArea) == first,
                try unsafe encoding(of: &plain) == encoding(of: &expected)
            else { throw .malformed }
            return (publicArea, privateArea)
        }

        func encoding(of publicArea: UnsafePointer<TPM2B_PUBLIC>) throws(Refusal) -> [UInt8] {
            var end = 0
            let count = MemoryLayout<TPM2B_PUBLIC>.size
            let bytes = try unsafe [UInt8](count: count) { (buffer) throws(Refusal) in
                let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
                try unsafe check(functions.pointee.Tss2_MU_TPM2B_PUBLIC_Marshal(publicArea, start, count, &end))
            }
            return Array(bytes.prefix(end))
        }

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
            for authorization: borrowing ChipAuthorization, under key: StorageKey, in session: ChipSession
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

    extension TPM2B_PUBLIC {
        /// The storage key as the TCG's provisioning guidance has it, on P-256.
        ///
        /// Exempt from the protection against dictionary attacks: it has no password, and must work while the TPM
        /// refuses all others.
        static var storageKey: TPM2B_PUBLIC {
            var template = primary
            template.publicArea.objectAttributes =
                llv_object_fixed | llv_object_user_with_auth | llv_object_no_da | llv_object_restricted
                | llv_object_decrypt
            return template
        }

        /// The endorsement key as the TCG's profile has it ("L-2", on P-256), which survives that a TPM is cleared.
        static func endorsementKey() throws(Refusal) -> TPM2B_PUBLIC { try endorsementKey(as: primary) }

        /// The other one ("L-1", RSA of 2048 bits): the one that every TPM has, and that most certificates are for.
        static func endorsementKeyOfRSA() throws(Refusal) -> TPM2B_PUBLIC {
            var template = TPM2B_PUBLIC()
            template.publicArea.type = llv_alg_rsa
            template.publicArea.nameAlg = llv_alg_sha256
            unsafe template.publicArea.parameters.rsaDetail.symmetric.algorithm = llv_alg_aes
            unsafe template.publicArea.parameters.rsaDetail.symmetric.keyBits.aes = 128
            unsafe template.publicArea.parameters.rsaDetail.symmetric.mode.aes = llv_alg_cfb
            unsafe template.publicArea.parameters.rsaDetail.scheme.scheme = llv_alg_null
            unsafe template.publicArea.parameters.rsaDetail.keyBits = 2048
            unsafe template.publicArea.unique.rsa.size = 256
            return try endorsementKey(as: template)
        }

        /// The key that says of others that they are in this TPM: it signs nothing that came from outside.
        static var attestationKey: TPM2B_PUBLIC {
            var template = elliptic
            template.publicArea.objectAttributes =
                llv_object_fixed | llv_object_user_with_auth | llv_object_no_da | llv_object_restricted
                | llv_object_sign
            unsafe template.publicArea.parameters.eccDetail.symmetric.algorithm = llv_alg_null
            unsafe template.publicArea.parameters.eccDetail.scheme.scheme = llv_alg_ecdsa
            unsafe template.publicArea.parameters.eccDetail.scheme.details.ecdsa.hashAlg = llv_alg_sha256
            return template
        }

        private static func endorsementKey(as primary: TPM2B_PUBLIC) throws(Refusal) -> TPM2B_PUBLIC {
            var template = primary
            template.publicArea.objectAttributes =
                llv_object_fixed | llv_object_admin_with_policy | llv_object_restricted | llv_object_decrypt
            // PolicySecret(TPM_RH_ENDORSEMENT), as the profile prints it.
            try copy(
                [
                    0x83, 0x71, 0x97, 0x67, 0x44, 0x84, 0xb3, 0xf8, 0x1a, 0x90, 0xcc, 0x8d, 0x46, 0xa5, 0xd7, 0x24,
                    0xfd, 0x52, 0xd7, 0x6e, 0x06, 0x52, 0x0b, 0x64, 0xf2, 0xa1, 0xda, 0x1b, 0x33, 0x14, 0x69, 0xaa,
                ], to: &template.publicArea.authPolicy.buffer, &template.publicArea.authPolicy.size)
            return template
        }

        /// A key that signs and agrees, as one of Apple's Secure Enclave does.
        static var userKey: TPM2B_PUBLIC {
            var template = elliptic
            template.publicArea.objectAttributes =
                llv_object_fixed | llv_object_user_with_auth | llv_object_no_da | llv_object_decrypt | llv_object_sign
            unsafe template.publicArea.parameters.eccDetail.symmetric.algorithm = llv_alg_null
            return template
        }

        /// Sealed bytes that their authorisation value opens.
        static var sealedForValue: TPM2B_PUBLIC {
            var template = keyedHash
            template.publicArea.objectAttributes |= llv_object_user_with_auth
            return template
        }

        /// Sealed bytes that only a policy opens.
        static func sealed(for policy: [UInt8]) throws(Refusal) -> TPM2B_PUBLIC {
            var template = keyedHash
            template.publicArea.objectAttributes |= llv_object_admin_with_policy
            try copy(policy, to: &template.publicArea.authPolicy.buffer, &template.publicArea.authPolicy.size)
            return template
        }

        private static var primary: TPM2B_PUBLIC {
            var template = elliptic
            unsafe template.publicArea.parameters.eccDetail.symmetric.algorithm = llv_alg_aes
            unsafe template.publicArea.parameters.eccDetail.symmetric.keyBits.aes = 128
            unsafe template.publicArea.parameters.eccDetail.symmetric.mode.aes = llv_alg_cfb
            // Zeros, but there: the key depends on their number.
            unsafe template.publicArea.unique.ecc.x.size = 32
            unsafe template.publicArea.unique.ecc.y.size = 32
            return template
        }

        private static var elliptic: TPM2B_PUBLIC {
            var template = TPM2B_PUBLIC()
            template.publicArea.type = llv_alg_ecc
            template.publicArea.nameAlg = llv_alg_sha256
            unsafe template.publicArea.parameters.eccDetail.scheme.scheme = llv_alg_null
            unsafe template.publicArea.parameters.eccDetail.curveID = llv_curve_p256
            unsafe template.publicArea.parameters.eccDetail.kdf.scheme = llv_alg_null
            return template
        }

        private static var keyedHash: TPM2B_PUBLIC {
            var template = TPM2B_PUBLIC()
            template.publicArea.type = llv_alg_keyed_hash
            template.publicArea.nameAlg = llv_alg_sha256
            template.publicArea.objectAttributes = llv_object_fixed_data | llv_object_no_da
            unsafe template.publicArea.parameters.keyedHashDetail.scheme.scheme = llv_alg_null
            return template
        }
    }
#endif
