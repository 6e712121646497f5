// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel

/// The words of a recovery key, as somebody typed them.
internal enum RecoveryWordsFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let key = read(bytes) else { return .refused }
        guard let words = (try? key.words())?.array else { throw BrokenPromise("a key can be said in words") }
        guard let again = read(words) else { throw BrokenPromise("words that were written are read") }
        try promise(again.seed.array == key.seed.array, "the words of a key are that key's")
        try promise(again.publicKey == key.publicKey, "a key that is read again has the same public half")
        let list = words.split(separator: UInt8(ascii: " "))
        try promise(list.count == RecoveryWords.wordCount, "a key has fourteen words")
        let numbered = list.enumerated().flatMap { number, word -> [UInt8] in
            Array("\(number + 1). ".utf8) + Array(word.prefix(4)) + [0x0A]
        }
        try promise(read(numbered)?.seed.array == key.seed.array, "four letters are enough, and numbers do not count")
        return .accepted
    }

    private static func read(_ text: [UInt8]) -> RecoveryKey? {
        text.withUnsafeBytes { try? RecoveryKey(words: $0) }
    }
}
