// SPDX-License-Identifier: Apache-2.0

package import KeychainEnclave
package import KeychainModel

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
        for key: borrowing SecretBytes, eraseAfter: UInt32, _ turn: borrowing OwnersTurn
    ) throws(EnclaveError) -> NewGate {
        try checkProcess()
        return try table.withLock { (table) throws(EnclaveError) in try table.make(for: key, eraseAfter: eraseAfter) }
    }

    package func openGate(
        _ gate: GateID, with key: borrowing SecretBytes, at now: Double, _ turn: borrowing OwnersTurn
    ) throws(EnclaveError) -> SecretBytes {
        try checkProcess()
        return try table.withLock { (table) throws(EnclaveError) in
            // Nothing to save: what is counted here lasts as long as what it guards.
            try table.open(gate, with: key, at: now) { _ in }
        }
    }

    package func destroyGate(_ gate: GateID, _ turn: borrowing OwnersTurn) throws(EnclaveError) {
        try checkProcess()
        _ = table.withLock { $0.destroy(gate) }
    }

    package func gates() throws(EnclaveError) -> [GateStanding] {
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
        EnclaveDescription(kind: kind, summary: "Software keeps the keys, in this process's memory: they end with it.")
    }

    /// A forked child has none of its parent's secrets, and would take every passcode for a wrong one.
    private func checkProcess() throws(EnclaveError) {
        guard !root.isAbandoned else { throw .missing }
    }
}
