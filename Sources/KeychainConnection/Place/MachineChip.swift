// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclaveTPM
internal import KeychainEngine
package import KeychainModel

/// The TPM of this machine, without any keychain in it.
package enum MachineChip {
    /// The public area of its endorsement key, on P-256 or of RSA.
    package static func endorsementKey(isRSA: Bool) throws(KeychainError) -> [UInt8] {
        let connection = try CreationPlan.tpm(named: .current())
        return try EnclaveKind.tpm.explaining { () throws(EnclaveError) in
            try TPMEnclave(path: "", connection: connection).endorsementKey(isRSA: isRSA)
        }
    }
}
