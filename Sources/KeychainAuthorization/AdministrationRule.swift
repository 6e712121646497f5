// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

/// Who may change what the keys of a keychain hang on.
///
/// Whoever shows the passcode, or the recovery key, may: it is checked where it is used. What goes without either could
/// hand out the keys (a recovery key) or lock everybody out (a first passcode), and needs a right of its own.
enum AdministrationRule {
    static func check(_ request: KeybagRequest, from caller: Caller) throws(KeychainError) {
        if caller.administersKeys { return }
        // Whoever may touch no item has nothing to unlock, and must not make others wait by wrong passcodes.
        guard caller.seesEveryGroup || !caller.groups.isEmpty else {
            throw KeychainError(
                .missingEntitlement, "the program has no access group, so the keys are none of its business")
        }
        guard needsRight(request) else { return }
        throw KeychainError(
            .missingEntitlement,
            "the program may not change the keys of this keychain without its passcode; its entitlement file would have to say administers-keys"
        )
    }

    private static func needsRight(_ request: KeybagRequest) -> Bool {
        switch request {
        case .standing, .lock, .unlock, .verify, .reseal, .settings: false
        case .changePasscode, .removePasscode, .recover: false
        case .setPasscode, .abandonErasedPasscode, .enclaveKeys, .change: true
        case .makeRecoveryKey(let shown), .removeRecoveryKey(let shown), .rotateKeys(let shown), .move(_, let shown):
            if case .passcode = shown { false } else { true }
        }
    }
}
