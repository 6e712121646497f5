// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// An enclave that proves to others where its keys are: a TPM.
package protocol AttestingEnclave: Enclave {
    /// The public area of the chip's endorsement key, as the TCG's profile makes it: on P-256, or RSA of 2048 bits.
    func endorsementKey(isRSA: Bool) throws(EnclaveError) -> [UInt8]

    /// The attestation key's word that a key is in this chip, over 32 bytes of the caller's.
    func certify(_ key: EnclaveKey, over digest: [UInt8]) throws(EnclaveError) -> KeyCertification

    /// What was sealed to the endorsement key for the attestation key: TPM2B_ID_OBJECT ‖ TPM2B_ENCRYPTED_SECRET.
    func activate(_ credential: [UInt8]) throws(EnclaveError) -> SecretBytes
}

/// What an attestation key says of another key.
package struct KeyCertification: Sendable, Equatable {
    /// The public area of the attestation key.
    package let attestationKey: [UInt8]
    /// TPMS_ATTEST, and its signature (DER).
    package let statement: [UInt8]
    package let signature: [UInt8]

    package init(attestationKey: [UInt8], statement: [UInt8], signature: [UInt8]) {
        (self.attestationKey, self.statement, self.signature) = (attestationKey, statement, signature)
    }
}
