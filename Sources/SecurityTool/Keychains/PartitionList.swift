// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// The partition lists of a Mac's keys and passwords, which come to nothing here.
enum PartitionList {
    /// Checks the password that is given for the keychain: a script that has a wrong one learns of it.
    static func check(
        _ options: SecurityOptions, _ keychain: ToolKeychain, _ session: Session
    ) throws(SecurityFailure) {
        guard options.value("S") != nil else { throw .usage("-S is missing: the list") }
        let call = "SecKeychainItemSetAccessWithPassword"
        if let given = try GivenPasscode.read(options, "k", session) {
            try KeychainLock.verify(keychain, given, call: call)
        } else if try KeychainLock.state(of: keychain) != .noPasscode {
            let words = "The password of the keychain \(keychain.path)."
            try KeychainLock.verify(keychain, try .ask(words, confirms: false, call: call), call: call)
        }
    }
}
