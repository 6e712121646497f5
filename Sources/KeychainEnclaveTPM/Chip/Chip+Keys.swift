// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import KeychainModel

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
#endif
