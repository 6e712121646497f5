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
    /// The seal the password is for, which others may be asked for too; nil for a new one.
    package let seal: [UInt8]?

    /// Whether nobody is to show anything: what is missing is which fingers are enrolled now.
    package let isOfEnrolledFingers: Bool

    /// That somebody looks which fingers are enrolled now.
    package static var enrolledFingers: Demand {
        Demand(
            ways: [], password: nil, isPasswordWrong: false, isPasswordNew: false, seal: nil, isOfEnrolledFingers: true)
    }

    /// Somebody, on one of the ways.
    package init(ways: [Set<AccessFactor>]) {
        self.init(ways: ways, password: nil, isPasswordWrong: false, isPasswordNew: false, seal: nil)
    }

    /// The password of a seal.
    package static func password(_ cost: PasscodeCost?, of seal: [UInt8], isWrong: Bool) -> Demand {
        Demand(ways: [], password: cost, isPasswordWrong: isWrong, isPasswordNew: false, seal: seal)
    }

    /// A password for something new.
    package static func newPassword(_ cost: PasscodeCost) -> Demand {
        Demand(ways: [], password: cost, isPasswordWrong: false, isPasswordNew: true, seal: nil)
    }

    /// A password for something that is not known yet.
    package static func somePassword(_ cost: PasscodeCost) -> Demand {
        Demand(ways: [], password: cost, isPasswordWrong: false, isPasswordNew: false, seal: nil)
    }

    private init(
        ways: [Set<AccessFactor>], password: PasscodeCost?, isPasswordWrong: Bool, isPasswordNew: Bool, seal: [UInt8]?,
        isOfEnrolledFingers: Bool = false
    ) {
        self.isOfEnrolledFingers = isOfEnrolledFingers
        self.ways = ways
        self.password = password
        self.isPasswordWrong = isPasswordWrong
        self.isPasswordNew = isPasswordNew
        self.seal = seal
    }
}
