// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// When an operation happens, and the identifiers it hands out: all that it takes from outside the store.
package struct WriteContext: Sendable {
    /// Seconds since 2001-01-01 UTC, in whole milliseconds.
    package let now: Double
    private let randomWords: RandomWords

    /// Thirty-two random bytes as four words; nil when there is no randomness.
    package typealias RandomWords = @Sendable () -> (UInt64, UInt64, UInt64, UInt64)?

    package init(now: Double, randomWords: @escaping RandomWords) {
        // What no clock can say counts as the beginning of time.
        let isSensible = now.isFinite && abs(now) < 1e11
        self.now = isSensible ? (now * 1000).rounded(.down) / 1000 : 0
        self.randomWords = randomWords
    }

    /// A moment that is not earlier than now and surely later than another one.
    func later(than other: Double) -> Double {
        if now > other { return now }
        // The next whole millisecond whose number is greater; dividing may round down to the same one.
        var milliseconds = (other * 1000).rounded()
        repeat { milliseconds += 1 } while milliseconds / 1000 <= other
        return milliseconds / 1000
    }

    /// Two fresh identifiers: a persistent reference, which begins with the time so that its index grows at the end,
    /// and a sync identity, which says nothing.
    ///
    /// Nil when there is no randomness.
    func identifiers() -> (persistent: PersistentID, sync: PersistentID)? {
        guard let words = randomWords() else { return nil }
        // Milliseconds since 1970 in 48 bits; 978 307 200 seconds lie between the two epochs.
        let milliseconds = UInt64(clamping: Int64((now + 978_307_200) * 1000)) & 0xFFFF_FFFF_FFFF
        return (
            PersistentID(high: milliseconds << 16 | words.0 & 0xFFFF, low: words.1),
            PersistentID(high: words.2, low: words.3)
        )
    }
}
