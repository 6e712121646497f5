// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainEngine
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// The use of the recovery key: the keychain opens again, bound to this machine.
struct Recovery {
    private let keychain: ToolKeychain
    /// nil where the device key still opens it.
    private let loss: DeviceLoss?
    private let kind: EnclaveKind
    private let hadPasscode: Bool

    /// Looks at what there is, and refuses what has no sense; asks nobody.
    init(of keychain: ToolKeychain, into wanted: EnclaveKind?) throws(CommandError) {
        self.keychain = keychain
        loss = keychain.host.deviceLoss()
        let hasRecoveryKey: Bool
        if let loss {
            (kind, hadPasscode, hasRecoveryKey) = (wanted ?? loss.enclave, loss.hadPasscode, loss.hasRecoveryKey)
        } else {
            let standing = try keychain.standing()
            (kind, hadPasscode) = (wanted ?? standing.enclave.kind, standing.lockState != .noPasscode)
            hasRecoveryKey = standing.hasRecoveryKey
        }
        guard hasRecoveryKey else { throw .failure("the keychain has no recovery key, so none opens it") }
    }

    /// Who had a passcode is to have one again, unless that is said.
    func run(with seed: SecretValue, newPasscode descriptor: Int32?, without: Bool) throws(CommandError) {
        var passcode: Passcode?
        if descriptor != nil || hadPasscode && !without {
            let words = "The keychain's new passcode; the one from before is gone."
            passcode = try PasscodeInput.passcode(descriptor, words, confirms: true)
        }
        let reply = try ToolKeychain.translating { () throws(KeychainError) in
            try keychain.host.recover(with: seed, into: kind, passcode: passcode)
        }
        print("the keychain opens again, with a device key of its own on this machine; the recovery key stays as it is")
        var losses: [String] = []
        if hadPasscode {
            losses.append("the passcode from before; \(passcode == nil ? "there is none now" : "the new one counts")")
        }
        guard case .removed(let items) = reply else {
            throw .failure("what was lost cannot be told; `llavero check\(keychain.option)` examines the keychain")
        }
        if items > 0 {
            losses.append("\(items) \(items == 1 ? "item" : "items") that no other device than the old one could open")
        }
        let keys = enclaveKeys
        if keys > 0 { losses.append("\(keys) \(keys == 1 ? "key" : "keys") that lived in the old device's enclave") }
        print(losses.isEmpty ? "nothing was lost" : losses.map { "lost: \($0)" }.joined(separator: "\n"))
    }

    /// All that there are lived in the old enclave, for the new one is a moment old.
    private var enclaveKeys: Int {
        guard case .references(let keys)? = try? keychain.perform(.enclaveKeys) else { return 0 }
        return keys.count
    }
}
