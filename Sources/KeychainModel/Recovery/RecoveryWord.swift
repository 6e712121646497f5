// SPDX-License-Identifier: Apache-2.0

/// Four to seven letters of a recovery word, without regard to case, as one number.
///
/// The numbers sort as the words do.
package struct RecoveryWord: Hashable, Sendable {
    /// The letters in lower case from the highest byte down, zeros behind them.
    package let packed: UInt64

    /// What was typed, or nil when it is no word of the list's kind, nor long enough to be the beginning of one.
    package init?(_ typed: UnsafeRawBufferPointer) {
        guard Self.sizes.contains(typed.count) else { return nil }
        var packed: UInt64 = 0
        for index in 0..<typed.count {
            // Only letters land between a and z: the bit is what tells upper from lower case.
            let letter = unsafe typed[index] | 0x20
            guard letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "z") else { return nil }
            packed |= UInt64(letter) << Self.shift(index)
        }
        self.packed = packed
    }

    package var count: Int { packed.bitWidth / 8 - packed.trailingZeroBitCount / 8 }

    /// The letter at `index`, counted from 0; 0 behind the last.
    package func letter(at index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> Self.shift(index)) }

    /// The first four letters.
    package var start: UInt32 { UInt32(truncatingIfNeeded: packed >> 32) }

    /// Whether `word` begins with, or is, these letters.
    package func isBeginning(of word: RecoveryWord) -> Bool {
        // The zeros behind a shorter word differ from any letters.
        (packed ^ word.packed) >> Self.shift(count - 1) == 0
    }

    private static func shift(_ index: Int) -> Int { 56 - 8 * index }

    package static let sizes = 4...7
}
