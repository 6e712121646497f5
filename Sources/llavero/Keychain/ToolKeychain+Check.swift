// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// What an examination of a keychain came to.
struct CheckedKeychain {
    let findings: [String]
    /// Items that nobody could look into, since they are locked.
    let locked: Int

    var lockedWords: String {
        "\(locked) \(locked == 1 ? "item was" : "items were") not looked at"
    }
}

extension ToolKeychain {
    /// Examines it, with a bar when that takes long.
    func checked(_ title: String) throws(CommandError) -> CheckedKeychain {
        var bar = ProgressBar(title)
        defer { bar.end() }
        let checked = try ToolKeychain.translating { () throws(KeychainError) in
            try host.check { done, total in bar.step(to: done, of: total) }
        }
        return CheckedKeychain(findings: checked.findings, locked: checked.locked)
    }
}
