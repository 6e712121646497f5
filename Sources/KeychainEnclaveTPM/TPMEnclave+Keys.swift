// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import KeychainCoding
    package import KeychainCrypto
    package import KeychainModel

    extension TPMEnclave {
        package func makeKey() throws(EnclaveError) -> EnclaveKey {
            try visit { visit throws(EnclaveError) in
                let authorization = try ChipAuthorization(of: visit.record.keychain)
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
                    return try signatureInDER(r: r, s: s)
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
        func load(_ key: EnclaveKey) throws(EnclaveError) -> ESYS_TR {
            let head = [blobVersion] + storageKey.name
            guard key.blob.starts(with: head) else { throw .foreignKey }
            let object = KeptObject(bytes: Array(key.blob.dropFirst(head.count)))
            let authorization = try ChipAuthorization(of: record.keychain)
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

    extension Chip {
        /// The two numbers of an ECDSA signature of 32 bytes.
        func sign(_ digest: [UInt8], with handle: ESYS_TR) throws(Refusal) -> (r: [UInt8], s: [UInt8]) {
            var text = TPM2B_DIGEST()
            try copy(digest, to: &text.buffer, &text.size)
            var scheme = TPMT_SIG_SCHEME()
            scheme.scheme = llv_alg_ecdsa
            unsafe scheme.details.ecdsa.hashAlg = llv_alg_sha256
            // The key signs anything, so the TPM wants no proof of where the digest is from.
            var proof = TPMT_TK_HASHCHECK()
            proof.tag = llv_tag_hash_check
            proof.hierarchy = llv_hierarchy_null
            var answer: UnsafeMutablePointer<TPMT_SIGNATURE>?
            defer { unsafe free(answer) }
            try unsafe check(
                functions.pointee.Esys_Sign(
                    context, handle, llv_tr_password, llv_tr_none, llv_tr_none, &text, &scheme, &proof, &answer))
            guard let answer = unsafe answer, unsafe answer.pointee.sigAlg == llv_alg_ecdsa else { throw .malformed }
            let numbers = unsafe answer.pointee.signature.ecdsa
            return (
                try bytes(of: numbers.signatureR.buffer, numbers.signatureR.size),
                try bytes(of: numbers.signatureS.buffer, numbers.signatureS.size)
            )
        }

        /// The x coordinate of the shared point; `x` and `y` are the other's.
        func sharedSecret(
            _ handle: ESYS_TR, x: [UInt8], y: [UInt8], in session: ChipSession
        ) throws(Refusal) -> SecretBytes {
            var point = TPM2B_ECC_POINT()
            try copy(x, to: &point.point.x.buffer, &point.point.x.size)
            try copy(y, to: &point.point.y.buffer, &point.point.y.size)
            var answer: UnsafeMutablePointer<TPM2B_ECC_POINT>?
            defer { unsafe wipeAndFree(answer) }
            try set(session, hiding: .answer)
            try unsafe check(
                functions.pointee.Esys_ECDH_ZGen(
                    context, handle, session.handle, llv_tr_none, llv_tr_none, &point, &answer))
            guard let answer = unsafe answer else { throw .malformed }
            let count = unsafe Int(answer.pointee.point.x.size)
            guard (1...32).contains(count) else { throw .malformed }
            return unsafe SecretBytes(count: 32) { secret in
                unsafe withUnsafeBytes(of: &answer.pointee.point.x.buffer) { buffer in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: secret[(32 - count)...])
                        .copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                }
            }
        }
    }

    extension TPM2B_PUBLIC {
        /// The public key of an object that is one: X9.63, uncompressed.
        func point() throws(Refusal) -> [UInt8] {
            let unique = unsafe publicArea.unique.ecc
            let x = try bytes(of: unique.x.buffer, unique.x.size)
            let y = try bytes(of: unique.y.buffer, unique.y.size)
            guard x.count <= 32, y.count <= 32 else { throw .malformed }
            let zeros = { [UInt8](repeating: 0, count: 32 - $0) }
            return [4] + zeros(x.count) + x + zeros(y.count) + y
        }
    }

    /// An ECDSA signature on P-256 as X9.62 writes it: a DER sequence of two numbers.
    func signatureInDER(r: [UInt8], s: [UInt8]) throws(Refusal) -> [UInt8] {
        for number in [r, s] {
            guard (1...32).contains(number.drop(while: { $0 == 0 }).count) else { throw .malformed }
        }
        return DERWriter.sequence(DERWriter.unsigned(r), DERWriter.unsigned(s))
    }

    private let blobVersion: UInt8 = 1
#endif
