// SPDX-License-Identifier: Apache-2.0

import KeychainModel

/// Random numbers that are the same in every run, so that what is counted is.
struct RecoveryNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(_ state: UInt64) {
        self.state = state
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return mixed(state)
    }

    mutating func key() -> [UInt8] {
        (0..<16).map { _ in UInt8(truncatingIfNeeded: next()) }
    }
}

/// Stands in for SHA-256, which KeychainModel does not have: as even, and no more.
func standInChecksum(_ bytes: UnsafeRawBufferPointer) -> (UInt8, UInt8)? {
    var state: UInt64 = 0
    for byte in bytes { state = mixed(state &+ UInt64(byte) &+ 0x9E37_79B9_7F4A_7C15) }
    return (UInt8(truncatingIfNeeded: state >> 8), UInt8(truncatingIfNeeded: state))
}

/// The words of a key that is no secret.
func recoveryText(
    of key: [UInt8], checksum: RecoveryWords.Checksum = standInChecksum
) throws(RecoveryWordsError) -> String {
    let key = SecretBytes(count: key.count) { $0.copyBytes(from: key) }
    let text = try RecoveryWords.text(of: key, checksum: checksum)
    return text.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
}

/// The key whose words are `text`.
func recoveryKey(
    from text: String, checksum: RecoveryWords.Checksum = standInChecksum
) throws(RecoveryWordsError) -> [UInt8] {
    try recoveryKey(from: Array(text.utf8), checksum: checksum)
}

func recoveryKey(
    from text: [UInt8], checksum: RecoveryWords.Checksum = standInChecksum
) throws(RecoveryWordsError) -> [UInt8] {
    let span = text.span
    return try span.bytes.withUnsafeBytes { (bytes) throws(RecoveryWordsError) in
        let key = try RecoveryWords.key(from: bytes, checksum: checksum)
        return key.withUnsafeBytes { Array($0) }
    }
}

/// The words of the list.
let recoveryWords = RecoveryWordList.words.map { word in
    String(decoding: (0..<word.count).map { word.letter(at: $0) }, as: UTF8.self)
}

func recoveryWord(_ typed: String) -> RecoveryWord? {
    let bytes = Array(typed.utf8)
    let span = bytes.span
    return span.bytes.withUnsafeBytes { RecoveryWord($0) }
}

// The last step of SplitMix64.
private func mixed(_ state: UInt64) -> UInt64 {
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
}
