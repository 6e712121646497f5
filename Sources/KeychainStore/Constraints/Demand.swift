// SPDX-License-Identifier: Apache-2.0

package import KeychainCrypto
package import KeychainModel

/// What an item demands of the person, and nobody has shown.
package struct Demand: Error, Sendable, Equatable {
    /// The ways to it, each of which is enough; none when only the password is missing.
    package let ways: [Set<AccessFactor>]
    /// How the item's own password is to be stretched, when one is needed and was not shown.
    package let password: PasscodeCost?
    /// Whether what was shown as the password is another one.
    package let isPasswordWrong: Bool
    /// Whether something is about to be sealed under the password, so that nobody could tell a slip of the finger later.
    package let isPasswordNew: Bool

    package init(
        ways: [Set<AccessFactor>], password: PasscodeCost?, isPasswordWrong: Bool = false, isPasswordNew: Bool = false
    ) {
        self.ways = ways
        self.password = password
        self.isPasswordWrong = isPasswordWrong
        self.isPasswordNew = isPasswordNew
    }
}
