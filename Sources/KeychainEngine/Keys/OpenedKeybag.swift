// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import KeychainStore

/// A keybag that is open for a change: its keys, and what they hang on.
///
/// It lives as long as one change and its holder's turn.
final class OpenedKeybag {
    let stored: StoredKeybag
    let before: KeyCustody.Before
    let keys: UnlockedKeybag
    let device: RootedEnclave
    /// What the passcode opened; nil while there is none, or when the keys were open already.
    let passcode: OpenedGate?

    init(
        stored: StoredKeybag, before: KeyCustody.Before, keys: UnlockedKeybag, device: RootedEnclave,
        passcode: OpenedGate?
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
            return try withWholeFactors
        }
    }

    /// The keys with factors of the passcode that are all there.
    var withWholeFactors: UnlockedKeybag {
        get throws(KeychainError) {
            try translating { () throws(CryptoError) in try keys.withWholeFactors() }
        }
    }

    /// The form to store of other keys, hanging on what these hang on.
    func replacement(with next: UnlockedKeybag) throws(KeychainError) -> KeybagReplacement {
        try translating { () throws(KeybagError) in
            guard next.header.passcode != nil else { return KeybagReplacement(try next.sealed(with: device.root)) }
            guard let passcode else { throw .incomplete }
            return KeybagReplacement(
                try next.sealed(with: device.root, gate: passcode.secret, passcode: passcode.passcode.stretched))
        }
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

    init(_ passcode: Passcode, for parameters: PasscodeParameters) throws(CryptoError) {
        stretched = try StretchedPasscode(passcode.bytes, salt: parameters.salt, cost: parameters.cost)
        gate = parameters.gate
    }
}

/// A passcode that is about to be set, stretched already: that takes half a second, for which no lock is held.
final class NewPasscode {
    private let stretched: StretchedPasscode
    private let salt: [UInt8]
    private let cost: PasscodeCost

    /// `other` is what trying the passcode before costs; it gets no cheaper.
    static func stretched(
        _ passcode: Passcode, orAsWith other: PasscodeCost?, _ surroundings: KeychainEngine.Surroundings,
        _ order: WorkOrder
    ) throws(KeychainError) -> NewPasscode {
        let today = surroundings.passcodeCost
        let cost = other.map { today.isWeaker(than: $0) ? $0 : today } ?? today
        return try surroundings.work.passcodes.perform(order, refused: KeychainError.init) {
            (_) throws(KeychainError) in
            try translating { () throws(CryptoError) in try NewPasscode(passcode, cost) }
        }
    }

    private init(_ passcode: Passcode, _ cost: PasscodeCost) throws(CryptoError) {
        salt = try StretchedPasscode.freshSalt()
        stretched = try StretchedPasscode(passcode.bytes, salt: salt, cost: cost)
        self.cost = cost
    }

    /// Makes the passcode's own gate, and seals keys that hang on it.
    ///
    /// Nothing is in force before the result is stored; a gate that no stored keybag names is destroyed at the next open.
    func seal(
        _ keys: UnlockedKeybag, on device: RootedEnclave, eraseAfter: UInt32, _ turn: borrowing OwnerLock
    ) throws(KeychainError) -> (keys: UnlockedKeybag, replacement: KeybagReplacement) {
        let gate = try device.enclave.kind.explaining { () throws(EnclaveError) in
            try device.enclave.makeGate(for: stretched.gateKey, eraseAfter: eraseAfter, turn)
        }
        let parameters = PasscodeParameters(cost: cost, salt: salt, gate: gate.id)
        let next = try translating { () throws(CryptoError) in
            try keys.withPasscode(parameters, eraseAfter: eraseAfter)
        }
        let locked = try translating { () throws(KeybagError) in
            try next.sealed(with: device.root, gate: gate.secret, passcode: stretched)
        }
        return (next, KeybagReplacement(locked))
    }
}
