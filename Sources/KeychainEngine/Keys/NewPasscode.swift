// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainEnclave
internal import KeychainModel

/// A passcode that is about to be set, stretched already: that takes half a second, which nobody should hold a lock for.
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
            (_) throws(KeychainError) in try NewPasscode(passcode, cost)
        }
    }

    private init(_ passcode: Passcode, _ cost: PasscodeCost) throws(KeychainError) {
        do throws(CryptoError) {
            let salt = try StretchedPasscode.freshSalt()
            stretched = try StretchedPasscode(passcode.bytes, salt: salt, cost: cost)
            self.salt = salt
        } catch { throw KeychainError(error) }
        self.cost = cost
    }

    /// Makes the passcode's own gate, and seals keys that hang on it.
    ///
    /// Nothing is in force before the result is stored; a gate that no stored keybag names is destroyed at the next open.
    func seal(
        _ keys: UnlockedKeybag, on device: RootedEnclave, eraseAfter: UInt32, _ turn: borrowing OwnersTurn
    ) throws(KeychainError) -> (keys: UnlockedKeybag, locked: LockedKeybag) {
        let gate: NewGate
        do throws(EnclaveError) {
            gate = try device.enclave.makeGate(for: stretched.gateKey, eraseAfter: eraseAfter, turn)
        } catch { throw KeychainError(error, of: device.enclave.kind) }
        let parameters = PasscodeParameters(cost: cost, salt: salt, gate: gate.id)
        let next: UnlockedKeybag
        do throws(CryptoError) { next = try keys.withPasscode(parameters, eraseAfter: eraseAfter) } catch {
            throw KeychainError(error)
        }
        do throws(KeybagError) {
            return (next, try next.sealed(with: device.root, gate: gate.secret, passcode: stretched))
        } catch { throw KeychainError(error) }
    }
}
