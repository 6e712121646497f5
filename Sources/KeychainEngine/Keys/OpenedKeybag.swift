// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel

/// A keybag that is open for a change: its keys, and what they hang on.
///
/// It lives as long as one change and its holder's turn.
final class OpenedKeybag {
    let stored: StoredKeybag
    /// What this process had open of it before.
    let state: LockState
    let keys: UnlockedKeybag
    let enclave: any Enclave
    let root: DeviceRoot
    /// What the passcode opened; nil while there is none, or when the keys were open already.
    let passcode: OpenedGate?

    init(
        stored: StoredKeybag, state: LockState, keys: UnlockedKeybag, enclave: any Enclave,
        root: consuming DeviceRoot, passcode: OpenedGate?
    ) {
        self.stored = stored
        self.state = state
        self.keys = keys
        self.enclave = enclave
        self.root = root
        self.passcode = passcode
    }

    /// The form to store of other keys, hanging on what these hang on.
    func sealed(_ next: UnlockedKeybag) throws(KeybagError) -> LockedKeybag {
        guard next.header.passcode != nil else { return try next.sealed(with: root) }
        guard let passcode else { throw .incomplete }
        return try next.sealed(with: root, gate: passcode.secret, passcode: passcode.passcode.stretched)
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
