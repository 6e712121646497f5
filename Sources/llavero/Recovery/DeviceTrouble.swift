// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainEngine
internal import KeychainModel
internal import KeychainTools

/// A keychain whose device key does not open it, for those who ask how it stands.
struct DeviceTrouble {
    private let loss: DeviceLoss
    /// What to do about it.
    let fix: String

    /// nil where the device key opens it, or where that cannot be told from here.
    init?(of keychain: ToolKeychain) {
        guard let loss = keychain.host.deviceLoss() else { return nil }
        self.loss = loss
        fix =
            loss.isExposed
            ? "have the device key owned by you with mode 0600 (chmod), and think of who could read it before"
            : loss.hasRecoveryKey
                ? "llavero recovery use\(keychain.option)"
                : "put the device key back, from a backup, for nothing else opens the keychain; to begin anew: \(keychain.setAsideCommand)"
    }

    var text: String { loss.cause.description }

    /// All that a keychain has which opens, and null for what nobody can tell.
    var members: [(String, JSONText)] {
        [
            ("state", .text("no-device-key")), ("enclave", .text(loss.enclave == .tpm ? "tpm" : "software")),
            ("enclave-summary", .null), ("warnings", .list([])), ("wrong-attempts", .null), ("wait-seconds", .null),
            ("erases-after", .null), ("erased", .null), ("recovery-key", .boolean(loss.hasRecoveryKey)),
            ("generation", .number(Int64(loss.generation))), ("resealing", .null), ("format", .number(loss.format)),
            ("problem", .text(text)), ("fix", .text(fix)),
        ]
    }

    var sentences: [String] {
        [
            "state: the device key does not open it", "problem: \(text)", "do: \(fix)",
            "recovery key: \(loss.hasRecoveryKey ? "yes" : "none")", "generation: \(loss.generation)",
        ]
    }
}
