// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2

    extension TPM2B_PUBLIC {
        /// The storage key as the TCG's provisioning guidance has it, on P-256.
        ///
        /// Exempt from the protection against dictionary attacks: it has no password, and must work while the TPM
        /// refuses everybody else.
        static var storageKey: TPM2B_PUBLIC {
            var template = primary
            template.publicArea.objectAttributes =
                llv_object_fixed | llv_object_user_with_auth | llv_object_no_da | llv_object_restricted
                | llv_object_decrypt
            return template
        }

        /// The endorsement key as the TCG's profile has it ("L-2"), which survives that a TPM is cleared.
        static func endorsementKey() throws(Refusal) -> TPM2B_PUBLIC {
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
