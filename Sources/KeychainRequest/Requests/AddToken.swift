// SPDX-License-Identifier: Apache-2.0

/// What makes one Add known when it is made again: thirty-two random bytes, which become the new item's identifiers.
///
/// A program whose connection breaks asks again with the same token. Where the item is there and has those identifiers,
/// it was stored by the first time, and the second is told so.
package struct AddToken: Sendable, Hashable {
    package let first: UInt64
    package let second: UInt64
    package let third: UInt64
    package let fourth: UInt64

    package init(_ first: UInt64, _ second: UInt64, _ third: UInt64, _ fourth: UInt64) {
        self.first = first
        self.second = second
        self.third = third
        self.fourth = fourth
    }

    package static func fresh() -> AddToken {
        var random = SystemRandomNumberGenerator()
        return AddToken(random.next(), random.next(), random.next(), random.next())
    }
}
