// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// The keychain a test names by a folder and what guards it: `software`, or the socket of a TPM.
struct KeybagPlace {
    let folder: String
    let guardian: String

    init?(_ arguments: [String]) {
        guard arguments.count >= 2 else { return nil }
        folder = arguments[0]
        guardian = arguments[1]
    }

    /// The keychain as a process that has just begun finds it.
    func open() throws -> IsolatedKeychain {
        try IsolatedKeychain(
            .folder(URL(fileURLWithPath: folder)),
            hardware: guardian.hasPrefix("swtpm:") ? .tpm(connection: guardian) : .software)
    }
}

/// What is written here has happened: no buffer of ours holds it back.
func say(_ words: Any...) {
    let line = Array((words.map { "\($0)" }.joined(separator: " ") + "\n").utf8)
    _ = write(1, line, line.count)
}
