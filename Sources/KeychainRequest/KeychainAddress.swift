// SPDX-License-Identifier: Apache-2.0

/// Which of a user's keychains a program means.
package enum KeychainAddress: Sendable, Hashable {
    /// The default one.
    case usual
    /// The one of that name beside it.
    case named(String)
    /// Another folder, which its server must be able to read.
    case folder(root: String, name: String)
}

/// What a program says before its first call, when it is not about the usual keychain, or not for itself.
package struct KeychainChoice: Sendable, Hashable {
    package let keychain: KeychainAddress
    /// Whether it is a tool with which people see to their own passwords.
    package let claimsPasswords: Bool
    /// Whether the first call makes it where it is not there yet.
    package let makesIt: Bool

    package init(_ keychain: KeychainAddress, claimsPasswords: Bool, makesIt: Bool) {
        self.keychain = keychain
        self.makesIt = makesIt
        self.claimsPasswords = claimsPasswords
    }

    /// What goes without saying.
    package static let usual = KeychainChoice(.usual, claimsPasswords: false, makesIt: true)

    /// The most bytes a path may have.
    package static let longestPath = 4096
}
