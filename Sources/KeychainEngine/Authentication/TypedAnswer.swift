// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// What a person typed once, for everybody who waited for it.
///
/// A wrong passcode counts, up to erasing what it protects: so one answer is tried once, however many share it.
final class TypedAnswer: Sendable {
    /// What the passcode opened.
    struct Opened: Sendable {
        let factors: [PasscodeFactor]
        let passcode: PasscodeParameters?
    }

    let secret: SecretValue
    private let outcome = ForkSafeMutex<Result<Opened, KeychainError>?>(nil)

    init(_ secret: SecretValue) { self.secret = secret }

    /// What came of trying it as the passcode: the first who asks tries, and the others get what the first got.
    func opened(_ attempt: () throws(KeychainError) -> Opened) throws(KeychainError) -> Opened {
        let result = outcome.withLock { outcome -> Result<Opened, KeychainError> in
            if let outcome { return outcome }
            let result: Result<Opened, KeychainError>
            do throws(KeychainError) { result = .success(try attempt()) } catch { result = .failure(error) }
            outcome = result
            return result
        }
        return try result.get()
    }
}
