// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// A question about the keys of a keychain, or a change of them.
package enum KeybagRequest: Sendable {
    case standing
    case lock
    /// A daemon locks it again after so many seconds, whoever uses it meanwhile; 0 stands for what the settings say.
    case unlock(Passcode, lockingAfter: UInt32 = 0)
    /// Counts like an unlock, and changes nothing.
    case verify(Passcode)
    /// The first one; after so many wrong ones in a row what it protects is erased, after 0 never.
    case setPasscode(Passcode, erasingAfter: UInt32)
    case changePasscode(from: Passcode, to: Passcode)
    case removePasscode(Passcode)
    case abandonErasedPasscode
    case makeRecoveryKey(KeybagAuthorization)
    case removeRecoveryKey(KeybagAuthorization)
    /// With the seed of a recovery key.
    case recover(SecretValue, into: EnclaveKind, passcode: Passcode?)
    case rotateKeys(KeybagAuthorization)
    /// Seals some items again; the second time round is the last.
    case reseal(isSecondRound: Bool)
    /// Which keys live in the enclave.
    case enclaveKeys
    case move(EnclaveMove, KeybagAuthorization)
    /// When it locks by itself.
    case settings
    case change(KeychainSettings)
}

/// What authorizes a change of the keybag.
package enum KeybagAuthorization: Sendable {
    /// The passcode; opens everything.
    case passcode(Passcode)
    /// That all keys are open already: there is no passcode, or the keychain is unlocked.
    case unlocked
}

/// How a keychain moves from one enclave into another.
package struct EnclaveMove: Sendable {
    package let kind: EnclaveKind
    /// The passcode that counts in the new enclave: asked for where the keychain has one.
    package let passcode: Passcode?
    /// Whether keys that live in the old enclave may be left without it: they can never be used again.
    package let abandonsEnclaveKeys: Bool
    /// Whether to make a recovery key where there is none.
    package let makesRecoveryKey: Bool

    package init(
        to kind: EnclaveKind, passcode: Passcode?, abandonsEnclaveKeys: Bool, makesRecoveryKey: Bool
    ) {
        self.kind = kind
        self.passcode = passcode
        self.abandonsEnclaveKeys = abandonsEnclaveKeys
        self.makesRecoveryKey = makesRecoveryKey
    }
}
