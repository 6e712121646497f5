// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// The passwords that items have of their own.
extension KeychainEngine {
    /// A context keeps what opened something, and what a program gave it; what a person mistyped it does not.
    func forgetTypedPassword(_ asking: Asking) throws(KeychainError) {
        guard try contexts.read(asking.id, { $0.isPasswordTyped }) else {
            throw KeychainError(.authenticationFailed, "the application password is not the item's", subject: "accc")
        }
        contexts.change(asking.id) { context in
            context.password = nil
            context.passwordFactors = []
        }
    }

    func meetPassword(
        _ cost: PasscodeCost, _ demand: Demand, _ asking: inout Asking
    ) throws(KeychainError) {
        let given = try contexts.read(asking.id) { $0.password }
        let password: SecretValue
        if let given {
            password = given
        } else {
            if demand.isPasswordWrong { asking.complaint = "This is not the password." }
            password = try ask(
                SecretWish(
                    title: "Application password", description: asking.words("asks for the password of an item"),
                    prompt: "Password:", confirms: demand.isPasswordNew,
                    subject: demand.seal.map { .password(ofSeal: $0) } ?? .newPassword(asking.id)), asking
            ).secret
        }
        let keybag = try keybag()
        let factor = try surroundings.work.passcodes.perform(asking.work, refused: KeychainError.init) {
            (_) throws(KeychainError) in
            do throws(CryptoError) {
                let secret = unsafe password.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
                guard secret.count > 0 else { throw CryptoError.invalidLength }
                return try PasswordFactor(
                    secret, of: keybag.keychain, pepper: try keybag.keys.passwordPepper(), cost: cost)
            } catch {
                if error == .invalidLength {
                    throw KeychainError(.authenticationFailed, "an empty password guards nothing", subject: "accc")
                }
                throw KeychainError(error)
            }
        }
        contexts.change(asking.id) { context in
            context.password = password
            if given == nil { context.isPasswordTyped = true }
            context.passwordFactors.append(factor)
        }
    }
}
