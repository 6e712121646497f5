// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclaveSoftware
internal import KeychainModel

/// The file of the software enclave: whole, and as what its digests protect.
internal enum DeviceKeyFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        let whole = try check(bytes)
        // A first byte that is even asks for the older form.
        guard let payload = try file(Array(bytes.dropFirst()), isOld: (bytes.first ?? 0) % 2 == 0) else { return whole }
        return try check(payload) == .accepted ? .accepted : whole
    }

    /// The file of a payload, with right digests.
    private static func file(_ payload: [UInt8], isOld: Bool) throws(BrokenPromise) -> [UInt8]? {
        guard (48...2048).contains(payload.count) else { return nil }
        guard let digest = try? payload.lendingBytes({ (bytes) throws(CryptoError) in try Digest.sha256(bytes) }) else {
            throw BrokenPromise("everything has a digest")
        }
        return Array((isOld ? "LLAVEKEY" : "LLAVEKY2").utf8) + payload + digest + payload + digest
    }

    private static func check(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let file = FuzzedFile(bytes) else { throw BrokenPromise("files can be made") }
        let enclave = SoftwareEnclave(path: file.path)
        guard let root = try? enclave.deviceRoot() else {
            try promise((try? enclave.gates()) == nil, "a file without a root has no gates")
            return .refused
        }
        try promise(root.key.count == 32 && !root.key.isAllZero, "a root has 32 bytes that are not all zero")
        guard let gates = try? enclave.gates(), let isWhole = try? enclave.isWhole() else {
            throw BrokenPromise("a file with a root has gates, or says that it has none")
        }
        try promise(gates.count <= 16, "a file has sixteen gates at most")
        try promise(Set(gates.map(\.id)).count == gates.count, "no two gates have one name")
        try promise(
            gates.allSatisfy { AttemptDelay.remaining(of: $0, at: 0) <= 3600 }, "no delay is longer than an hour")
        if gates.count < 16 { try checkWritten(enclave, file, isWhole ? bytes : nil) }
        return .accepted
    }

    /// A gate more and one less: the file is whole then, and says what it said before.
    private static func checkWritten(
        _ enclave: SoftwareEnclave, _ file: FuzzedFile, _ before: [UInt8]?
    ) throws(BrokenPromise) {
        let gates = try? enclave.gates()
        let turn = OwnerLock(uncheckedHoldingOwnerLock: ())
        guard let gate = try? enclave.makeGate(for: SecretBytes([UInt8](1...32)), eraseAfter: 10, turn) else {
            throw BrokenPromise("a file with room for a gate takes one")
        }
        try promise((try? enclave.destroyGate(gate.id, turn)) != nil, "a gate that was made can be destroyed")
        try promise((try? enclave.isWhole()) == true, "what is written is whole")
        try promise((try? enclave.gates()) == gates, "the other gates stay as they were")
        if let before, before.starts(with: Array("LLAVEKY2".utf8)) {
            try promise(file.bytes == before, "a file is written one way")
        }
    }
}
