// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    package import KeychainCrypto
    package import KeychainModel
    internal import KeychainSystem

    /// What a TPM proves to others: that keys are in it, and that it is the one with a certain endorsement key.
    ///
    /// Endorsement and attestation key are made anew for each use: the TPM makes the same ones from its endorsement seed, which
    /// also clearing leaves as it is.
    extension TPMEnclave: AttestingEnclave {
        /// Needs the TPM alone, and no keychain's file.
        package func endorsementKey(isRSA: Bool) throws(EnclaveError) -> [UInt8] {
            try place.turn.withLock { _ throws(EnclaveError) in
                try Chip.visit(place) { chip throws(EnclaveError) in
                    try EnclaveError.translating { () throws(Refusal) in
                        try chip.publicArea(of: chip.endorsementKey(isRSA: isRSA))
                    }
                }
            }
        }

        package func certify(_ key: EnclaveKey, over digest: [UInt8]) throws(EnclaveError) -> KeyCertification {
            try visit { visit throws(EnclaveError) in
                let loaded = try visit.load(key)
                return try EnclaveError.translating { () throws(Refusal) in
                    let attestationKey = try visit.chip.primary(of: llv_tr_endorsement, .attestationKey)
                    let (statement, signature) = try visit.chip.certify(loaded, by: attestationKey, over: digest)
                    return KeyCertification(
                        attestationKey: try visit.chip.publicArea(of: attestationKey), statement: statement,
                        signature: signature)
                }
            }
        }

        package func activate(_ credential: [UInt8]) throws(EnclaveError) -> SecretBytes {
            let challenge: SealedCredential
            do throws(Refusal) { challenge = try SealedCredential(credential) } catch { throw .foreignCredential }
            return try visit { visit throws(EnclaveError) in
                do throws(Refusal) {
                    return try visit.chip.activate(challenge, under: visit.storageKey)
                } catch { throw error.isAboutContent ? .foreignCredential : EnclaveError(error) }
            }
        }
    }

    /// A credential as it goes to a TPM, in two parts.
    private struct SealedCredential {
        let blob: [UInt8]
        let secret: [UInt8]

        /// What is sealed to a point has this size, and to a modulus that of the modulus.
        var isRSA: Bool { secret.count != 68 }

        init(_ bytes: [UInt8]) throws(Refusal) {
            let parts = try KeptObject(bytes: bytes).parts()
            (blob, secret) = (Array(parts.publicArea.dropFirst(2)), Array(parts.privateArea.dropFirst(2)))
            guard secret.count == 68 || secret.count == 256 else { throw .malformed }
        }
    }

    extension Chip {
        /// The endorsement key: the one that its maker or owner keeps at the TCG's place, or the same made anew.
        fileprivate func endorsementKey(isRSA: Bool) throws(Refusal) -> ESYS_TR {
            let template: TPM2B_PUBLIC = isRSA ? try .endorsementKeyOfRSA() : try .endorsementKey()
            // To make one of RSA takes a TPM seconds.
            if isRSA, let kept = try object(at: placeOfRSA), try isEndorsementKey(kept, template) { return kept }
            return try primary(of: llv_tr_endorsement, template)
        }

        private func isEndorsementKey(_ handle: ESYS_TR, _ template: TPM2B_PUBLIC) throws(Refusal) -> Bool {
            let own = { (area: TPM2B_PUBLIC) throws(Refusal) -> [UInt8] in
                var (area, template) = (area, template)
                area.publicArea.unique = template.publicArea.unique
                guard try unsafe self.encoding(of: &template) == self.encoding(of: &area) else { return [] }
                return [1]
            }
            return try !withPublic(of: handle, own).isEmpty
        }

        /// TPMT_PUBLIC: what the digest in a key's name is over.
        fileprivate func publicArea(of handle: ESYS_TR) throws(Refusal) -> [UInt8] {
            try withPublic(of: handle) { (area) throws(Refusal) in
                var area = area
                return Array(try unsafe encoding(of: &area).dropFirst(2))
            }
        }

        private func withPublic(
            of handle: ESYS_TR, _ body: (TPM2B_PUBLIC) throws(Refusal) -> [UInt8]
        ) throws(Refusal) -> [UInt8] {
            var answer: UnsafeMutablePointer<TPM2B_PUBLIC>?
            defer { unsafe free(answer) }
            try unsafe check(
                functions.pointee.Esys_ReadPublic(
                    context, handle, llv_tr_none, llv_tr_none, llv_tr_none, &answer, nil, nil))
            guard let answer = unsafe answer else { throw .malformed }
            return try body(unsafe answer.pointee)
        }

        fileprivate func certify(
            _ handle: ESYS_TR, by attestationKey: ESYS_TR, over digest: [UInt8]
        ) throws(Refusal) -> (statement: [UInt8], signature: [UInt8]) {
            var data = TPM2B_DATA()
            try copy(digest, to: &data.buffer, &data.size)
            // The key's own.
            var scheme = TPMT_SIG_SCHEME()
            scheme.scheme = llv_alg_null
            var statement: UnsafeMutablePointer<TPM2B_ATTEST>?
            var signature: UnsafeMutablePointer<TPMT_SIGNATURE>?
            defer { unsafe free(statement) }
            defer { unsafe free(signature) }
            try unsafe check(
                functions.pointee.Esys_Certify(
                    context, handle, attestationKey, llv_tr_password, llv_tr_password, llv_tr_none, &data, &scheme,
                    &statement, &signature))
            guard let statement = unsafe statement, let signature = unsafe signature,
                unsafe signature.pointee.sigAlg == llv_alg_ecdsa
            else { throw .malformed }
            let numbers = unsafe signature.pointee.signature.ecdsa
            return try unsafe (
                bytes(of: statement.pointee.attestationData, statement.pointee.size),
                signatureInDER(
                    r: bytes(of: numbers.signatureR.buffer, numbers.signatureR.size),
                    s: bytes(of: numbers.signatureS.buffer, numbers.signatureS.size))
            )
        }

        fileprivate func activate(_ challenge: SealedCredential, under key: StorageKey) throws(Refusal) -> SecretBytes {
            var (blob, secret) = (TPM2B_ID_OBJECT(), TPM2B_ENCRYPTED_SECRET())
            try copy(challenge.blob, to: &blob.credential, &blob.size)
            try copy(challenge.secret, to: &secret.secret, &secret.size)
            let attestationKey = try primary(of: llv_tr_endorsement, .attestationKey)
            let endorsementKey = try endorsementKey(isRSA: challenge.isRSA)
            let policy = try startSession(.policy, under: key)
            // As the key's policy wants it, and under the password of the hierarchy, of which there is none.
            try unsafe check(
                functions.pointee.Esys_PolicySecret(
                    context, llv_tr_endorsement, policy.handle, llv_tr_password, llv_tr_none, llv_tr_none, nil, nil,
                    nil,
                    0, nil, nil))
            var answer: UnsafeMutablePointer<TPM2B_DIGEST>?
            defer { unsafe wipeAndFree(answer) }
            try set(policy, hiding: .answer)
            let refusal = unsafe Refusal(
                code: functions.pointee.Esys_ActivateCredential(
                    context, attestationKey, endorsementKey, llv_tr_password, policy.handle, llv_tr_none, &blob,
                    &secret, &answer))
            // What some TPMs say of a ciphertext of RSA that is another's. One that has failed indeed had not come so far.
            if refusal.code == llv_rc_failure { throw .malformed }
            guard refusal.code == 0 else { throw refusal }
            guard let answer = unsafe answer else { throw .malformed }
            let count = unsafe Int(answer.pointee.size)
            guard count == 32 else { throw .malformed }
            return unsafe withUnsafeBytes(of: &answer.pointee.buffer) { buffer in
                unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            }
        }
    }

    /// Where the TCG's guidance has the endorsement key of RSA.
    private let placeOfRSA: UInt32 = 0x8101_0001
#endif
