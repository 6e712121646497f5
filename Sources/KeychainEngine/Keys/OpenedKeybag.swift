// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel

/// A keybag that is open for a change: its keys, and what they hang on.
///
/// It lives as long as one change and its holder's turn.
final class OpenedKeybag {
    let stored: StoredKeybag
    let before: Before
    let keys: UnlockedKeybag
    let device: RootedEnclave
    /// What the passcode opened; nil while there is none, or when the keys were open already.
    let passcode: OpenedGate?

    init(
        stored: StoredKeybag, before: Before, keys: UnlockedKeybag, device: RootedEnclave, passcode: OpenedGate?
    ) {
        self.stored = stored
        self.before = before
        self.keys = keys
        self.device = device
        self.passcode = passcode
    }

    /// The keys for a change: a factor of the passcode's whose record is damaged, and that nothing can open any more, is
    /// given up with it.
    var whole: UnlockedKeybag {
        get throws(KeychainError) {
            guard keys.passcodeFactors.count != keys.header.passcodeFactors.count, keys.isComplete,
                passcode != nil || keys.header.passcode == nil
            else { return keys }
            do throws(CryptoError) { return try keys.withWholeFactors() } catch { throw KeychainError(error) }
        }
    }

    /// What this process had open before a change, and when that was.
    struct Before: Sendable {
        let lockState: LockState
        let epoch: Int

        init(lockState: LockState, epoch: Int) {
            self.lockState = lockState
            self.epoch = epoch
        }

        init(_ state: KeyState, _ header: KeybagHeader) {
            lockState = header.passcode == nil ? .unlocked : state.held?.lockState ?? .beforeFirstUnlock
            epoch = state.epoch
        }

        /// What is to be open after the change: somebody may have locked while it was made.
        func lockState(in state: KeyState) -> LockState {
            state.epoch == epoch ? lockState : state.held?.lockState ?? .beforeFirstUnlock
        }
    }

    /// The form to store of other keys, hanging on what these hang on.
    func sealed(_ next: UnlockedKeybag) throws(KeybagError) -> LockedKeybag {
        guard next.header.passcode != nil else { return try next.sealed(with: device.root) }
        guard let passcode else { throw .incomplete }
        return try next.sealed(with: device.root, gate: passcode.secret, passcode: passcode.passcode.stretched)
    }
}

/// A gate's secret, and the passcode that opened it.
final class OpenedGate {
    let secret: SecretBytes
    let passcode: GatePasscode

    init(secret: consuming SecretBytes, _ passcode: GatePasscode) {
        self.secret = secret
        self.passcode = passcode
    }
}

/// A stretched passcode on its way to the gate it was stretched for.
final class GatePasscode {
    let gate: GateID
    let stretched: StretchedPasscode

    init(gate: GateID, _ stretched: consuming StretchedPasscode) {
        self.gate = gate
        self.stretched = stretched
    }
}

/// An enclave with its root.
final class RootedEnclave {
    let enclave: any Enclave
    let root: DeviceRoot
    /// Whether it is in force, and still beside the place that is its own.
    let isPending: Bool

    init(_ enclave: any Enclave, _ root: consuming DeviceRoot, isPending: Bool = false) {
        self.enclave = enclave
        self.root = root
        self.isPending = isPending
    }
}
