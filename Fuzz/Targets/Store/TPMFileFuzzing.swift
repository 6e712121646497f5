// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclaveTPM
internal import KeychainModel

/// The file of the TPM's enclave: whole, and as what its digests protect.
///
/// No TPM is asked.
/// What is read is compared there with what would be written, so that it was read is what there is to check.
internal enum TPMFileFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        if case .accepted = try check(bytes, isSealed: false) { return .accepted }
        guard let record = try? TwinRecord.encode(bytes, magic: Array("LLAVETPM".utf8)) else { return .refused }
        return try check(record, isSealed: true)
    }

    private static func check(_ bytes: [UInt8], isSealed: Bool) throws(BrokenPromise) -> FuzzOutcome {
        guard let file = FuzzedFile(bytes) else { throw BrokenPromise("files can be made") }
        let isWhole: Bool
        do throws(EnclaveError) {
            isWhole = try TPMEnclave(path: file.path, connection: "device:/dev/null").isWhole()
        } catch {
            if error == .notBuilt { return .skipped }
            try promise(error == .damaged, "a file that cannot be read is damaged")
            return .refused
        }
        try promise(isWhole || !isSealed, "two copies that agree are no damage")
        return .accepted
    }
}
