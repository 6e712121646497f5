// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2

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
