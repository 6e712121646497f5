// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainStore

/// Does away with what a crash in the middle of a change left over.
///
/// To destroy a gate is for ever, so it must be certain that the stored keybag is the one in force. It is not when a later
/// one was kept as a copy: then the database was put back from a backup, and what looks left over is the newer one's.
/// Nor when its own gate is missing, nor as long as a commit is in doubt.
///
/// The engine owns it. It reads the stored keybag through `StoreConnections`, and `KeyCustody` tells it when to clean.
final class KeybagCleaner: Sendable {
    private let home: any KeychainHome
    private let custody: KeyCustody
    private let connections: StoreConnections
    private let note: @Sendable (StaticString) -> Void

    init(
        _ home: any KeychainHome, _ custody: KeyCustody, _ connections: StoreConnections,
        note: @escaping @Sendable (StaticString) -> Void
    ) {
        self.home = home
        self.custody = custody
        self.connections = connections
        self.note = note
    }

    /// Cleans once, after the first operation that found something, unless another thread or process holds the owner lock.
    func cleanLeftovers() {
        guard custody.takeLeftovers() else { return }
        let isHeld = llv_hold_file_size_signal()
        defer { llv_release_file_size_signal(isHeld) }
        home.withOwnersTurnIfFree { turn in
            guard let stored = try? connections.storedKeybag(), let device = try? settledEnclave(of: stored, turn),
                (try? stored.opened(with: device)) != nil
            else { return }
            clean(stored, device.enclave, turn)
        }
    }

    /// Destroys gates that the stored keybag does not name, puts other enclaves aside, mends what is half damaged, and makes the
    /// keybag's copy one again.
    func clean(_ stored: StoredKeybag, _ enclave: any Enclave, _ turn: borrowing OwnerLock) {
        let keybag = stored.keybag
        // Nothing may be put aside that is in force.
        if let pending = home.pendingEnclave(keybag.header.enclave), let device = try? RootedEnclave(pending),
            device.root.binding == keybag.header.enclaveBinding
        {
            return
        }
        guard stored.row.mayWrite, stored.hasLeftovers(in: home, besides: enclave), connections.isConfirmed(stored)
        else { return }
        do throws(EnclaveError) {
            for kind in EnclaveKind.allCases {
                if kind != keybag.header.enclave { try home.setAsideEnclave(kind, turn) }
                // One that is in force got its place before.
                try home.setAsidePendingEnclave(kind, turn)
            }
            try home.removeUnfinishedFiles(turn)
        } catch { note("the leftovers of another enclave cannot be set aside now; the next use tries again") }
        destroyUnnamedGates(keybag.header, enclave, turn)
        mendHalves(stored, enclave, turn)
        guard let bytes = try? keybag.encoded() else { return }
        let copy = home.keybagCopy
        if copy == bytes { return }
        // Another keychain's may be the only one there is.
        let other = copy.flatMap { try? LockedKeybag(decoding: $0) }
        if let other, other.header.keychain != keybag.header.keychain { home.setAsideKeybagCopy(turn) }
        home.keepCopy(ofKeybag: bytes, turn)
    }

    /// Writes keybag and enclave anew, each from the whole one of its two copies, where the other is damaged.
    private func mendHalves(_ stored: StoredKeybag, _ enclave: any Enclave, _ turn: borrowing OwnerLock) {
        do throws(EnclaveError) { try enclave.mend(turn) } catch {
            note("the damaged half of the enclave's file cannot be written now; the next use tries again")
        }
        guard stored.keybag.isHalfDamaged else { return }
        do throws(KeychainError) { try connections.storeWhole(stored, turn) } catch {
            note("the damaged half of the keybag cannot be written now; the next use tries again")
        }
    }

    private func destroyUnnamedGates(_ header: KeybagHeader, _ enclave: any Enclave, _ turn: borrowing OwnerLock) {
        do throws(EnclaveError) {
            for gate in try enclave.gates() where gate.id != header.passcode?.gate {
                try enclave.destroyGate(gate.id, turn)
            }
        } catch { noteStandingGate() }
    }

    /// Destroys the gate of a passcode that counts no more, now that the keybag without it is stored.
    func destroyGate(of header: KeybagHeader, _ enclave: any Enclave, _ turn: borrowing OwnerLock) {
        guard let passcode = header.passcode else { return }
        do throws(EnclaveError) { try enclave.destroyGate(passcode.gate, turn) } catch { noteStandingGate() }
    }

    private func noteStandingGate() {
        noteLeftovers("the gate of an earlier passcode could not be destroyed; the next use tries again")
    }

    /// Leaves something to the next use, which cleans it up.
    func noteLeftovers(_ words: StaticString) {
        custody.noteLeftovers()
        note(words)
    }

    /// The enclave of a stored keybag; one that took over and did not get its place gets it now.
    func settledEnclave(of stored: StoredKeybag, _ turn: borrowing OwnerLock) throws(KeychainError) -> RootedEnclave {
        let header = stored.keybag.header
        let device = try home.enclave(of: header)
        guard device.isPending, connections.isConfirmed(stored) else { return device }
        do throws(EnclaveError) { try home.settlePendingEnclave(header.enclave, turn) } catch { return device }
        return try home.enclave(of: header)
    }

    /// Takes away the new enclave of a recovery that failed, when it is certain that no stored keybag names it.
    func removeUnused(_ device: RootedEnclave, _ turn: borrowing OwnerLock) {
        guard let stored = try? connections.storedKeybag(),
            stored.keybag.header.enclaveBinding != device.root.binding, connections.isConfirmed(stored)
        else { return }
        home.removePendingEnclave(device.enclave.kind, turn)
    }
}
