// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel
internal import KeychainSQLite
internal import KeychainStore
internal import Synchronization

/// Doing away with what a crash in the middle of a change left over.
///
/// To destroy a gate is for ever, so it must be certain that the stored keybag is the one in force. It is not when a later
/// one was kept as a copy: then the database was put back from a backup, and what looks left over is the newer one's.
/// Nor when its own gate is missing, nor as long as a commit is in doubt.
extension KeychainEngine {
    /// Destroys gates that the stored keybag does not name, puts other enclaves aside, and makes the keybag's copy one
    /// again.
    func clean(_ stored: StoredKeybag, _ enclave: any Enclave, _ turn: borrowing OwnersTurn) {
        let keybag = stored.keybag
        // Nothing may be put aside that is in force.
        if let pending = home.pendingEnclave(keybag.header.enclave) {
            do throws(EnclaveError) {
                if try pending.deviceRoot().binding == keybag.header.enclaveBinding { return }
            } catch {}
        }
        guard stored.row.mayWrite, leavesOver(stored, enclave), isConfirmed(stored) else { return }
        do throws(EnclaveError) {
            for kind in EnclaveKind.allCases {
                if kind != keybag.header.enclave { try home.setAsideEnclave(kind, turn) }
                // One that is in force got its place before.
                try home.setAsidePendingEnclave(kind, turn)
            }
            try home.removeUnfinishedFiles(turn)
        } catch { surroundings.note("what is left of another enclave cannot be put aside now") }
        destroyUnnamedGates(keybag.header, enclave, turn)
        guard let bytes = try? keybag.encoded() else { return }
        let copy = home.keybagCopy
        if copy == bytes { return }
        // Another keychain's is somebody's only one, perhaps.
        let other = copy.flatMap { try? LockedKeybag(decoding: $0) }
        if let other, other.header.keychain != keybag.header.keychain { home.setAsideKeybagCopy(turn) }
        home.keepCopy(ofKeybag: bytes, turn)
    }

    private func destroyUnnamedGates(_ header: KeybagHeader, _ enclave: any Enclave, _ turn: borrowing OwnersTurn) {
        do throws(EnclaveError) {
            for gate in try enclave.gates() where gate.id != header.passcode?.gate {
                try enclave.destroyGate(gate.id, turn)
            }
        } catch { noteStandingGate() }
    }

    /// Destroys the gate of a passcode that counts no more, now that the keybag without it is stored.
    func destroyGate(of header: KeybagHeader, _ enclave: any Enclave, _ turn: borrowing OwnersTurn) {
        guard let passcode = header.passcode else { return }
        do throws(EnclaveError) { try enclave.destroyGate(passcode.gate, turn) } catch { noteStandingGate() }
    }

    private func noteStandingGate() {
        hasLeftovers.store(true, ordering: .relaxed)
        surroundings.note("the gate of an earlier passcode could not be destroyed; the next use tries again")
    }

    /// Whether a crash left something over that may be done away with.
    ///
    /// Asked whenever a keychain is opened, so the usual answer must come fast.
    func leavesOver(_ stored: StoredKeybag, _ enclave: any Enclave) -> Bool {
        let header = stored.keybag.header
        guard let gates = try? enclave.gates(), header.namesOne(of: gates) else { return false }
        let isCopied = !home.keepsKeybagCopy || home.keybagCopy == stored.row.keybag
        if !isCopied, laterCopy(than: stored) != nil { return false }
        if home.hasUnfinishedFiles || gates.contains(where: { $0.id != header.passcode?.gate }) { return true }
        for kind in EnclaveKind.allCases {
            if kind != header.enclave, home.hasEnclave(kind) { return true }
            if home.pendingEnclave(kind) != nil { return true }
        }
        if isCopied { return false }
        // One of the stored keybag's own copies may be damaged: then what is kept is what it would be if it were whole.
        return (try? stored.keybag.encoded()).map { home.keybagCopy != $0 } ?? false
    }

    /// Whether the keybag that was read is on the disk, and no other one can come out of the log after a crash.
    func isConfirmed(_ stored: StoredKeybag) -> Bool {
        do throws(KeychainError) {
            return try withKeybagConnection(forWriting: true) { (connection, _) throws(KeychainError) in
                do throws(SQLiteError) {
                    return try DatabaseSchema.confirmedKeybag(in: connection) == stored.row.keybag
                } catch { throw KeychainError(error) }
            }
        } catch { return false }
    }

    /// Cleans once, after the first operation that found something, unless somebody is at the keybag just now.
    func cleanLeftovers() {
        guard hasLeftovers.load(ordering: .relaxed), hasLeftovers.exchange(false, ordering: .relaxed) else { return }
        home.withOwnersTurnIfFree { turn in
            guard let stored = try? storedKeybag(), let device = try? settledEnclave(of: stored, turn),
                (try? stored.keybag.opened(with: device.root)) != nil
            else { return }
            clean(stored, device.enclave, turn)
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
