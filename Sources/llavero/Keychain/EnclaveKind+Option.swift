// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

extension EnclaveKind {
    /// What `--enclave` says; nil where it is not there.
    static func named(by options: Options) throws(CommandError) -> EnclaveKind? {
        switch options.value("--enclave") {
        case nil: nil
        case "software": .software
        case "tpm": .tpm
        default: throw .usage("--enclave knows software and tpm")
        }
    }
}
