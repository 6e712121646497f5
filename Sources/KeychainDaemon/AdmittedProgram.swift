// SPDX-License-Identifier: Apache-2.0

package import KeychainIdentity
package import KeychainRequest

/// A program that is served: what it may, call by call, and how well it is known.
package struct AdmittedProgram: Sendable {
    package let level: IdentityLevel
    /// The path of the file it executes; nil when nobody could look.
    package let image: String?
    /// Why it is known so well, and no better; for people.
    package let explanation: String
    /// Of the rules by which it was admitted.
    package let edition: UInt64
    package let caller: @Sendable () -> Caller

    package init(
        level: IdentityLevel, image: String?, explanation: String, edition: UInt64,
        caller: @escaping @Sendable () -> Caller
    ) {
        self.level = level
        self.image = image
        self.explanation = explanation
        self.edition = edition
        self.caller = caller
    }
}
