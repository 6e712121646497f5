// SPDX-License-Identifier: Apache-2.0

/// The command in what doctor proposes, where it is one of this program that needs nothing filled in.
///
/// What is proposed is written for people, and may go on in prose: nothing of it is run but a verb that is listed here, and the
/// keychain that it names.
package enum DoctorCommand {
    /// The words behind `llavero`; none for anything else.
    package static func words(of fix: String) -> [String] {
        let words = fix.split(separator: " ").map { String($0) }
        guard words.first == "llavero" else { return [] }
        let rest = Array(words.dropFirst())
        guard
            let verb = verbs.first(where: { verb in
                zip(rest, verb).allSatisfy { plain($0) == $1 } && rest.count >= verb.count
            })
        else { return [] }
        let behind = rest.dropFirst(verb.count)
        // A comma ends the command.
        let isOver = rest[verb.count - 1] != verb[verb.count - 1]
        guard !isOver, behind.first == "--keychain" else { return verb }
        // A name in quotes may have spaces: then a person types it.
        guard let name = behind.dropFirst().first.map(plain), name.utf8.allSatisfy(isPlain) else { return [] }
        return verb + ["--keychain", name]
    }

    private static func plain(_ word: String) -> String {
        if let last = word.last, last == "," || last == ";" { return String(word.dropLast()) }
        return word
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "/._-+@".utf8.contains(byte)
        }
    }

    /// Those that need no more words, and ask before they do what cannot be taken back.
    private static let verbs = [
        ["passcode", "set"], ["recovery", "make"], ["recovery", "use"], ["unlock"], ["repair"], ["status"], ["check"],
        ["doctor"], ["secret-service", "enable"], ["secret-service", "status"], ["circle", "status"], ["compact"],
    ]
}
