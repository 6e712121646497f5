// SPDX-License-Identifier: Apache-2.0

/// A truth value of one byte, as the functions of C have it.
@frozen public struct DarwinBoolean: ExpressibleByBooleanLiteral, CustomStringConvertible, Hashable, Sendable {
    private var value: UInt8

    /// A truth value in its one byte.
    public init(_ value: Bool) { self.value = value ? 1 : 0 }

    /// What a literal says.
    public init(booleanLiteral value: Bool) { self.init(value) }

    /// Whether it is any other byte than zero.
    public var boolValue: Bool { value != 0 }

    /// `true` or `false`.
    public var description: String { boolValue.description }

    /// Two are equal when both are true or both are false.
    public static func == (left: DarwinBoolean, right: DarwinBoolean) -> Bool { left.boolValue == right.boolValue }

    /// A hash of what it says.
    public func hash(into hasher: inout Hasher) { hasher.combine(boolValue) }
}
