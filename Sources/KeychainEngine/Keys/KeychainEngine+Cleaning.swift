// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel
internal import Synchronization

/// Doing away with what a crash in the middle of a change left over.
extension KeychainEngine {
    /// Destroys gates and enclaves that the stored keybag does not name, and makes the keybag's copy one again.
    ///
    /// Only where what it does name is there: a keybag put back from a backup must not cost the newer one its gate.
    func clean(_ keybag: LockedKeybag, _ enclave: any Enclave, _ turn: borrowing OwnersTurn) {
        guard let gates = try? enclave.gates(), keybag.header.namesOne(of: gates) else { return }
        for kind in EnclaveKind.allCases where kind != keybag.header.enclave && home.hasEnclave(kind) {
            try? home.removeEnclave(kind, turn)
        }
        for gate in gates where gate.id != keybag.header.passcode?.gate { try? enclave.destroyGate(gate.id, turn) }
        if let bytes = try? keybag.encoded(), !home.hasCopy(ofKeybag: bytes) { home.keepCopy(ofKeybag: bytes, turn) }
    }

    /// Whether a crash left something over.
    func leavesOver(_ keybag: LockedKeybag, _ enclave: any Enclave) -> Bool {
        guard let gates = try? enclave.gates(), keybag.header.namesOne(of: gates) else { return false }
        return gates.contains { $0.id != keybag.header.passcode?.gate }
            || EnclaveKind.allCases.contains { $0 != keybag.header.enclave && home.hasEnclave($0) }
            || (try? keybag.encoded()).map { !home.hasCopy(ofKeybag: $0) } ?? false
    }

    /// Cleans once, after the first operation that found something, unless somebody is at the keybag just now.
    func cleanLeftovers() {
        guard hasLeftovers.load(ordering: .relaxed), hasLeftovers.exchange(false, ordering: .relaxed) else { return }
        home.withOwnersTurnIfFree { turn in
            guard let keybag = try? storedKeybag().keybag, let enclave = try? home.enclave(keybag.header.enclave)
            else { return }
            clean(keybag, enclave, turn)
        }
    }
}

extension KeybagHeader {
    /// Whether the passcode's gate is there, if there is a passcode.
    fileprivate func namesOne(of gates: [GateStanding]) -> Bool {
        guard let passcode else { return true }
        return gates.contains { $0.id == passcode.gate }
    }
}
