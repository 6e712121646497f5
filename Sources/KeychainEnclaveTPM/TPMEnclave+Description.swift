// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import KeychainEnclave
    package import KeychainModel

    extension TPMEnclave {
        package func description() -> EnclaveDescription {
            var summary = "TPM 2.0: the device key and private keys need this chip, which counts wrong passcodes."
            var warnings: [String] = []
            do throws(EnclaveError) {
                let content = try file.read()
                if content.isHalfDamaged { warnings.append("One of the two copies in the enclave's file is damaged.") }
                let chip = try visit { visit throws(EnclaveError) in
                    try EnclaveError.translating { () throws(Refusal) in try ChipProperties(of: visit.chip) }
                }
                summary += " \(chip.name)."
                if content.record.storageKeyPlace == 0 {
                    warnings.append("The TPM could not keep its storage key, and makes it again for each use.")
                }
                warnings += chip.warnings
            } catch { warnings.append("The TPM gives nothing now: \(error).") }
            return EnclaveDescription(kind: kind, summary: summary, warnings: warnings)
        }
    }

    /// What a TPM tells of itself to everybody.
    private struct ChipProperties {
        let name: String
        let warnings: [String]

        init(of chip: Chip) throws(Refusal) {
            let fixed = try chip.properties(from: llv_property_manufacturer)
            let maker = String(
                decoding: (0..<4).map { byte in
                    UInt8(truncatingIfNeeded: (fixed[llv_property_manufacturer] ?? 0) >> UInt32(24 - 8 * byte))
                }.filter { (0x21...0x7e).contains($0) }, as: UTF8.self)
            let firmware = fixed[llv_property_firmware_1] ?? 0
            name = "Made by \(maker), firmware \(firmware >> 16).\(firmware & 0xffff)"
            let flags = try chip.properties(from: llv_property_permanent)[llv_property_permanent] ?? 0
            var warnings: [String] = []
            if flags & llv_permanent_owner_auth_set == 0 {
                warnings.append(
                    "The TPM's owner has no password: who may use the TPM can begin its count of wrong passcodes anew.")
            }
            if flags & llv_permanent_lockout_auth_set == 0 {
                warnings.append(
                    "The TPM's lockout has no password: who may use the TPM can clear it, and so destroy every key.")
            }
            if flags & llv_permanent_in_lockout != 0 {
                warnings.append("The TPM is locked out by failures of others; this enclave does not depend on it.")
            }
            self.warnings = warnings
        }
    }
#endif
