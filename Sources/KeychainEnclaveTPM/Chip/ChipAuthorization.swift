// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import Glibc
    internal import KeychainCrypto
    internal import KeychainModel

    /// What opens an object of a TPM's: 32 bytes.
    struct ChipAuthorization: ~Copyable {
        private let structure: SecretStructure<TPM2B_AUTH>

        /// Of the root and the keys of a keychain.
        ///
        /// No secret: it is there so that an object of one keychain is not one of another's on the same TPM.
        init(of keychain: KeychainUUID) throws(EnclaveError) {
            let text = Array("llavero tpm keychain".utf8) + keychain.bytes
            structure = try unsafe ChipAuthorization.structure { (buffer) throws(CryptoError) in
                try unsafe text.lendingBytes { (text) throws(CryptoError) in
                    try unsafe Digest.sha256(text, into: buffer)
                }
            }
        }

        /// Of a gate that opens for `key` alone.
        init(of gate: GateID, for key: borrowing SecretBytes) throws(EnclaveError) {
            structure = try unsafe key.withUnsafeBytes { (key) throws(EnclaveError) in
                try unsafe ChipAuthorization.structure { (buffer) throws(CryptoError) in
                    try unsafe KeyDerivation.hkdf(
                        secret: key, salt: gate.bytes, info: Array("llavero tpm gate".utf8), into: buffer)
                }
            }
        }

        borrowing func lend<Result>(_ body: (UnsafePointer<TPM2B_AUTH>?) -> Result) -> Result {
            unsafe structure.lend { unsafe body($0) }
        }

        private static func structure(
            _ fill: (UnsafeMutableRawBufferPointer) throws(CryptoError) -> Void
        ) throws(EnclaveError) -> SecretStructure<TPM2B_AUTH> {
            do throws(CryptoError) {
                return try unsafe SecretStructure { (structure) throws(CryptoError) in
                    unsafe structure.pointee.size = 32
                    try unsafe withUnsafeMutableBytes(of: &structure.pointee.buffer) { (buffer) throws(CryptoError) in
                        try unsafe fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<32]))
                    }
                }
            } catch { throw .failed(Int64(EIO)) }
        }
    }

    /// A session whose key only the TPM that has the storage key can know.
    struct ChipSession {
        enum Kind {
            case authorization
            case policy
        }

        /// Which of a command's secrets travel encrypted.
        enum Hiding {
            case nothing
            case command
            case answer
        }

        let handle: ESYS_TR
    }

    extension Chip {
        func startSession(_ kind: ChipSession.Kind, under key: StorageKey) throws(Refusal) -> ChipSession {
            var cipher = TPMT_SYM_DEF()
            cipher.algorithm = llv_alg_aes
            unsafe cipher.keyBits.aes = 128
            unsafe cipher.mode.aes = llv_alg_cfb
            var handle = llv_tr_none
            try unsafe check(
                functions.pointee.Esys_StartAuthSession(
                    context, key.handle, llv_tr_none, llv_tr_none, llv_tr_none, llv_tr_none, nil,
                    kind == .policy ? llv_session_policy : llv_session_hmac, &cipher, llv_alg_sha256, &handle))
            return ChipSession(handle: keep(handle))
        }

        /// Says what the session hides in the next command.
        func set(_ session: ChipSession, hiding: ChipSession.Hiding) throws(Refusal) {
            let hidden: TPMA_SESSION =
                switch hiding {
                case .nothing: 0
                case .command: llv_session_hides_command
                case .answer: llv_session_hides_answer
                }
            try unsafe check(
                functions.pointee.Esys_TRSess_SetAttributes(
                    context, session.handle, llv_session_continues | hidden, 0xff))
        }
    }
#endif
