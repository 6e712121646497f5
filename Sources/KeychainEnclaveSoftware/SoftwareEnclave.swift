// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel
internal import KeychainSystem

/// An enclave without hardware: root and gates in a file that only its owner can read.
///
/// It keeps a copied database shut, and nothing more: an attacker who copies the file as well has the root, and can try
/// passcodes at the gates without counting.
package struct SoftwareEnclave: Enclave {
    private let path: String

    package var kind: EnclaveKind { .software }

    /// The enclave of a keychain whose device key lies at `path`, which is absolute.
    package init(path: String) {
        self.path = path
    }

    /// Makes the device key of a new keychain.
    ///
    /// The file must not exist yet, and is on the disk when this returns.
    package func create(for keychain: KeychainUUID) throws(EnclaveError) -> DeviceRoot {
        let key = DeviceKey(keychain: keychain, root: try .random(count: 32), gates: GateTable())
        try DeviceKeyFile.create(key, at: path)
        return try DeviceRoot.software(key.root.clone())
    }

    package func isWhole() throws(EnclaveError) -> Bool { try !DeviceKeyFile.read(path).isHalfDamaged }

    package func mend(_ turn: borrowing OwnerLock) throws(EnclaveError) {
        let file = try DeviceKeyFile.read(path)
        if file.isHalfDamaged { try DeviceKeyFile.replace(file, with: file.gates, at: path) }
    }

    package func deviceRoot() throws(EnclaveError) -> DeviceRoot {
        try DeviceRoot.software(DeviceKeyFile.read(path).root.clone())
    }

    package func makeGate(
        for key: borrowing SecretBytes, eraseAfter: UInt32, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> NewGate {
        let file = try DeviceKeyFile.read(path)
        var gates = file.gates
        let gate = try gates.make(for: key, eraseAfter: eraseAfter)
        try DeviceKeyFile.replace(file, with: gates, at: path)
        return gate
    }

    package func openGate(
        _ gate: GateID, with key: borrowing SecretBytes, at now: Double, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> SecretBytes {
        let file = try DeviceKeyFile.read(path)
        var gates = file.gates
        return try gates.open(gate, with: key, at: now) { (gates) throws(EnclaveError) in
            try DeviceKeyFile.replace(file, with: gates, at: path)
        }
    }

    package func destroyGate(_ gate: GateID, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        let file = try DeviceKeyFile.read(path)
        var gates = file.gates
        if gates.destroy(gate) { try DeviceKeyFile.replace(file, with: gates, at: path) }
    }

    package func gates() throws(EnclaveError) -> [GateState] { try DeviceKeyFile.read(path).gates.standings }

    package func makeKey() throws(EnclaveError) -> EnclaveKey { try deviceRoot().makeKey() }

    package func signature(of digest: [UInt8], with key: EnclaveKey) throws(EnclaveError) -> [UInt8] {
        try deviceRoot().signature(of: digest, with: key)
    }

    package func sharedSecret(of key: EnclaveKey, with publicKey: [UInt8]) throws(EnclaveError) -> SecretBytes {
        try deviceRoot().sharedSecret(of: key, with: publicKey)
    }

    package func description() -> EnclaveDescription {
        EnclaveDescription(
            kind: kind,
            summary: "Software keeps the keys, in a file beside the database: "
                + "a program that can read or copy both has them, and can guess passcodes without delays.",
            warnings: warnings)
    }

    private var warnings: [String] {
        do throws(EnclaveError) {
            return try isWhole() ? [] : ["device.key: one of its two copies is damaged; the next use repairs it"]
        } catch {
            return ["device.key: cannot be used: \(error)"]
        }
    }
}

/// An enclave for keychains in memory: its root and its gates die with it.
package final class MemoryEnclave: Enclave {
    private let root: SecretBytes
    private let table = ForkSafeMutex(GateTable())

    package var kind: EnclaveKind { .software }

    package init() throws(EnclaveError) { root = try .random(count: 32) }

    package func deviceRoot() throws(EnclaveError) -> DeviceRoot {
        try checkProcess()
        return try DeviceRoot.software(root.clone())
    }

    package func makeGate(
        for key: borrowing SecretBytes, eraseAfter: UInt32, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> NewGate {
        try checkProcess()
        return try table.withLock { (table) throws(EnclaveError) in try table.make(for: key, eraseAfter: eraseAfter) }
    }

    package func openGate(
        _ gate: GateID, with key: borrowing SecretBytes, at now: Double, _ turn: borrowing OwnerLock
    ) throws(EnclaveError) -> SecretBytes {
        try checkProcess()
        return try table.withLock { (table) throws(EnclaveError) in
            // Nothing to save: what is counted here lasts as long as what it guards.
            try table.open(gate, with: key, at: now) { _ in }
        }
    }

    package func destroyGate(_ gate: GateID, _ turn: borrowing OwnerLock) throws(EnclaveError) {
        try checkProcess()
        _ = table.withLock { $0.destroy(gate) }
    }

    package func isWhole() -> Bool { true }

    package func mend(_ turn: borrowing OwnerLock) {}

    package func gates() throws(EnclaveError) -> [GateState] {
        try checkProcess()
        return table.withLock { $0.standings }
    }

    package func makeKey() throws(EnclaveError) -> EnclaveKey { try deviceRoot().makeKey() }

    package func signature(of digest: [UInt8], with key: EnclaveKey) throws(EnclaveError) -> [UInt8] {
        try deviceRoot().signature(of: digest, with: key)
    }

    package func sharedSecret(of key: EnclaveKey, with publicKey: [UInt8]) throws(EnclaveError) -> SecretBytes {
        try deviceRoot().sharedSecret(of: key, with: publicKey)
    }

    package func description() -> EnclaveDescription {
        EnclaveDescription(
            kind: kind, summary: "Software keeps the keys in this process's memory; they are lost when it ends.")
    }

    /// A forked child has none of its parent's secrets, and would take every passcode for a wrong one.
    private func checkProcess() throws(EnclaveError) {
        guard !root.isAbandoned else { throw .missing }
    }
}
