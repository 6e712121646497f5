// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// What is to be said of a keychain's new passcode, by the estimate for passwords.
package struct PasscodeStrength {
    /// The decimal logarithm of the tries.
    private let tries: Double

    package init(of passcode: Passcode) {
        tries = unsafe passcode.bytes.withUnsafeBytes { unsafe PasswordStrength(of: $0).tries }
    }

    package static let leastCharacters = 4

    package static func isTooShort(_ passcode: Passcode) -> Bool {
        // Every letter has exactly one byte that is not a continuation byte.
        unsafe passcode.bytes.withUnsafeBytes { bytes in unsafe bytes.count { $0 & 0xC0 != 0x80 } < leastCharacters }
    }

    /// A warning for the person; nil where the passcode is good enough for this enclave.
    ///
    /// A TPM limits the rate of guesses. For copied files, a machine with many processors tries about ten thousand a second
    /// (scrypt, 128 MiB each).
    package func warning(in enclave: EnclaveKind) -> String? {
        if enclave == .tpm {
            return tries < 4 ? "that passcode is weak: an attacker would try it among the first; \(advice)" : nil
        }
        return timeToGuess.map {
            "that passcode is weak: an attacker with a copy of the keychain's files may guess it \($0); \(advice)"
        }
    }

    /// A warning of the passphrase of a backup, which is stretched in the same way; nil where it is good enough.
    package var warningOfBackup: String? {
        timeToGuess.map {
            "that passphrase is weak: whoever gets the backup may guess it \($0); \(advice)"
        }
    }

    /// How soon a machine with many processors may have guessed it; nil for one that takes longer than that is worth.
    private var timeToGuess: String? {
        let seconds = tries - 4
        guard seconds < 7 else { return nil }
        return seconds < 1.8
            ? "within seconds" : seconds < 3.5 ? "within minutes" : seconds < 5 ? "within hours" : "within weeks"
    }

    private var advice: String { "`llavero generate --words 5` makes a strong one" }
}
