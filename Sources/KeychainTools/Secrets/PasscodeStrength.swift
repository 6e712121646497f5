// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// An estimate of how many tries an attacker needs to guess a passcode: common ones first, then words, runs of letters and
/// digits, dates, then everything.
///
/// The estimate is generous: a passcode that it calls weak is weak, and others may be weak too.
package struct PasscodeStrength {
    /// The decimal logarithm of the tries.
    package let tries: Double

    package init(of passcode: Passcode) {
        tries = unsafe passcode.bytes.withUnsafeBytes { unsafe PasscodeStrength.tries($0) }
    }

    package static func isTooShort(_ passcode: Passcode) -> Bool {
        // Every letter has exactly one byte that is not a continuation byte.
        unsafe passcode.bytes.withUnsafeBytes { bytes in unsafe bytes.count { $0 & 0xC0 != 0x80 } < 4 }
    }

    /// A warning for the person; nil where the passcode is good enough for this enclave.
    ///
    /// A TPM limits the rate of guesses. For copied files, a machine with many processors tries about ten thousand a second
    /// (scrypt, 128 MiB each).
    package func warning(in enclave: EnclaveKind) -> String? {
        let advice = "`llavero generate --words 5` makes a strong one"
        if enclave == .tpm {
            return tries < 4 ? "that passcode is weak: an attacker would try it among the first; \(advice)" : nil
        }
        let seconds = tries - 4
        guard seconds < 7 else { return nil }
        let time =
            seconds < 1.8
            ? "within seconds" : seconds < 3.5 ? "within minutes" : seconds < 5 ? "within hours" : "within weeks"
        return "that passcode is weak: an attacker with a copy of the keychain's files may guess it \(time); \(advice)"
    }

    private static func tries(_ bytes: UnsafeRawBufferPointer) -> Double {
        var sum = 0.0
        var start = 0
        // Words and numbers are guessed one by one and combined.
        while start < bytes.count {
            let kind = unsafe Kind(bytes[start])
            var end = start + 1
            while unsafe end < bytes.count && Kind(bytes[end]) == kind { end += 1 }
            sum += unsafe tries(UnsafeRawBufferPointer(rebasing: bytes[start..<end]), kind)
            start = end
        }
        return sum
    }

    private enum Kind {
        case letter, digit, other

        init(_ byte: UInt8) {
            let small = byte | 0x20
            self = (0x61...0x7A).contains(small) ? .letter : (0x30...0x39).contains(byte) ? .digit : .other
        }
    }

    /// Of a part of one kind.
    private static func tries(_ part: UnsafeRawBufferPointer, _ kind: Kind) -> Double {
        // Sequences and repetitions add little: 1234, aaaa, qwer.
        var surprises = 1.0
        for index in part.indices.dropFirst() {
            let (before, after) = unsafe (part[index - 1] | 0x20, part[index] | 0x20)
            let step = Int(after) - Int(before)
            surprises += abs(step) <= 1 || isBeside(before, after) ? 0.2 : 1
        }
        switch kind {
        case .digit: return surprises
        case .other: return surprises * 1.5
        case .letter:
            if unsafe isKnown(part) { return 3 }
            let capitals = unsafe part.count { $0 & 0x20 == 0 }
            let isMixed = capitals > 1 && capitals < part.count
            let all = surprises * (isMixed ? 1.7 : 1.4)
            // A word list has about a hundred thousand words.
            return unsafe isLikeAWord(part) ? min(all, 5 + (capitals > 0 ? 0.5 : 0)) : all
        }
    }

    /// Neighbours on a keyboard.
    private static func isBeside(_ first: UInt8, _ second: UInt8) -> Bool {
        for row in ["qwertyuiop", "asdfghjkl", "zxcvbnm", "qwertzuiop", "yxcvbnm"] {
            let row = Array(row.utf8)
            if let place = row.firstIndex(of: first), place + 1 < row.count, row[place + 1] == second { return true }
        }
        return false
    }

    /// Whether it can be pronounced: it has vowels, and never four consonants in a row.
    private static func isLikeAWord(_ part: UnsafeRawBufferPointer) -> Bool {
        var (vowels, run, longest) = (0, 0, 0)
        for index in part.indices {
            if unsafe "aeiouy".utf8.contains(part[index] | 0x20) {
                vowels += 1
                run = 0
            } else {
                run += 1
                longest = max(longest, run)
            }
        }
        return part.count <= 14 && longest < 4 && vowels * 5 >= part.count
    }

    private static func isKnown(_ part: UnsafeRawBufferPointer) -> Bool {
        func isSame(_ count: Int, _ letter: (Int) -> UInt8) -> Bool {
            guard count == part.count else { return false }
            for index in part.indices where unsafe part[index] | 0x20 != letter(index) { return false }
            return true
        }
        if common.contains(where: { word in
            let letters = Array(word.utf8)
            return isSame(letters.count) { letters[$0] }
        }) {
            return true
        }
        return RecoveryWordList.words.contains { word in isSame(word.count) { word.letter(at: $0) } }
    }

    /// The first entries of lists of leaked passwords.
    private static let common = [
        "password", "passwort", "contrasena", "qwerty", "qwertyuiop", "qwertz", "letmein", "welcome", "admin", "root",
        "login", "master", "dragon", "monkey", "football", "baseball", "iloveyou", "princess", "sunshine", "shadow",
        "superman", "batman", "trustno", "starwars", "whatever", "freedom", "hello", "secret", "geheim", "changeme",
        "default", "guest", "test", "user", "pass", "abc", "asdf", "asdfgh", "zxcvbn", "michael", "jordan", "hunter",
        "killer", "pepper", "ginger", "summer", "winter", "spring", "autumn", "love", "llavero", "keychain", "linux",
        "debian", "ubuntu",
    ]
}
