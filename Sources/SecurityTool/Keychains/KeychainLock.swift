// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// Locking and unlocking of one keychain, so that it counts for the programs that come after.
enum KeychainLock {
    static func state(of keychain: ToolKeychain) throws(SecurityFailure) -> LockState {
        try SecurityFailure.translating(Keychains.openCall(keychain.path)) { () throws(CommandError) in
            try keychain.standing().lockState
        }
    }

    /// Has the daemon unlock it; where none runs, one is started.
    static func unlock(_ keychain: ToolKeychain, _ given: GivenPasscode) throws(SecurityFailure) {
        let call = "SecKeychainUnlock \(keychain.path)"
        guard case .passcode(let passcode) = given else {
            throw .status(.authenticationFailed, call: call, why: nil)
        }
        if !keychain.hasDaemon {
            // Before anything is started for it.
            try SecurityFailure.translating(call) { () throws(CommandError) in
                _ = try keychain.perform(.verify(passcode))
            }
            try SecurityFailure.translating(call) { () throws(CommandError) in
                try Agent(for: keychain.host).start()
            }
        }
        try SecurityFailure.translating(call) { () throws(CommandError) in
            _ = try keychain.perform(.unlock(passcode))
        }
    }

    /// Leaves a new keychain open, as a Mac does, where a daemon can keep it so.
    static func leaveOpen(_ keychain: ToolKeychain, _ passcode: Passcode, _ session: Session) {
        do throws(CommandError) {
            if !keychain.hasDaemon { try Agent(for: keychain.host).start() }
            _ = try keychain.perform(.unlock(passcode))
        } catch {
            session.remark("the keychain is made, and locked: \(error.description)")
        }
    }

    /// Checks the password of a keychain, which an empty one is of every keychain without.
    static func verify(_ keychain: ToolKeychain, _ given: GivenPasscode, call: String) throws(SecurityFailure) {
        switch (given, try state(of: keychain)) {
        case (.none, .noPasscode): return
        case (.none, _), (.passcode, .noPasscode):
            throw .status(.authenticationFailed, call: call, why: nil)
        case (.passcode(let passcode), _):
            try SecurityFailure.translating(call) { () throws(CommandError) in
                _ = try keychain.perform(.verify(passcode))
            }
        }
    }
}
