// SPDX-License-Identifier: Apache-2.0

package import KeychainIdentity
package import KeychainModel
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
    /// Why no call of its is answered; nil for a program that is served.
    package let refusal: KeychainError?
    /// Whether it is a program that nobody listed, and nobody kept people's passwords for another.
    package let mayClaimPasswords: Bool
    /// Whether an entitlement file says that it may ask people for the system's daemon.
    package let answersQuestions: Bool

    package init(
        level: IdentityLevel, image: String?, explanation: String, edition: UInt64,
        mayClaimPasswords: Bool = false, answersQuestions: Bool = false, refusal: KeychainError? = nil,
        caller: @escaping @Sendable () -> Caller
    ) {
        self.mayClaimPasswords = mayClaimPasswords
        self.refusal = refusal
        self.answersQuestions = answersQuestions
        self.level = level
        self.image = image
        self.explanation = explanation
        self.edition = edition
        self.caller = caller
    }

    /// As a tool that people see to their own passwords with, if it says that it is one and nobody listed another: any
    /// program of the user's could call the tool, so being it gives nobody anything.
    func caller(claimingPasswords: Bool) -> Caller {
        let own = caller()
        guard claimingPasswords, mayClaimPasswords else { return own }
        return Caller(
            groups: [.passwords] + own.groups, seesEveryGroup: own.seesEveryGroup,
            administersKeys: own.administersKeys, program: own.program)
    }
}
