// SPDX-License-Identifier: Apache-2.0

internal import KeychainEnclave
package import KeychainModel

/// What a keychain is to be made with.
package struct CreationPlan: Sendable, Equatable {
    package let enclave: EnclaveKind
    package let makesRecoveryKey: Bool
    /// How to reach the TPM, as tpm2-tss names its ways.
    package let tpm: String

    package init(enclave: EnclaveKind = .software, makesRecoveryKey: Bool = false, tpm: String = systemTPM) {
        self.enclave = enclave
        self.makesRecoveryKey = makesRecoveryKey
        self.tpm = tpm
    }

    package static let systemTPM = "device:/dev/tpmrm0"

    /// What the environment asks for, for a keychain that is made because a program stores its first item.
    ///
    /// Nobody would see a recovery key then, so a TPM is refused unless the owner said that none is wanted.
    static func implied(by environment: Environment) throws(KeychainError) -> CreationPlan {
        let tpm = try tpm(named: environment)
        switch environment["LLAVERO_ENCLAVE"] ?? "software" {
        case "software": return CreationPlan(tpm: tpm)
        case "tpm":
            guard environment["LLAVERO_RECOVERY"] == "none" else {
                throw KeychainError(
                    .notAvailable,
                    """
                    a keychain in a TPM is lost with the TPM, so it is made together with a recovery key that somebody \
                    writes down: make it with Llavero.createKeychain, or set LLAVERO_RECOVERY=none to do without
                    """,
                    subject: "LLAVERO_ENCLAVE")
            }
            return CreationPlan(enclave: .tpm, tpm: tpm)
        default:
            throw KeychainError(.notAvailable, "there are the enclaves software and tpm", subject: "LLAVERO_ENCLAVE")
        }
    }

    /// The way to the TPM.
    ///
    /// Two kinds alone: tpm2-tss takes the name of any library here, and would load it.
    package static func tpm(named environment: Environment) throws(KeychainError) -> String {
        guard let name = environment["LLAVERO_TPM"] else { return systemTPM }
        guard name.hasPrefix("device:/") || name.hasPrefix("swtpm:") else {
            throw KeychainError(
                .notAvailable, "a TPM is named by device:/dev/… or swtpm:…", subject: "LLAVERO_TPM")
        }
        return name
    }
}
