// SPDX-License-Identifier: Apache-2.0

/// Why bytes were not read, or a value not written.
package enum CodingError: Error, Sendable, Equatable, CaseIterable {
    /// An element ends after the bytes do.
    case truncated
    /// Bytes follow where nothing may follow.
    case trailingBytes
    /// The value could have been written in another, required way.
    case notCanonical
    case unknownTag
    case depthExceeded
    /// Text that is not UTF-8.
    case invalidString
    /// Not a time of the calendar.
    case invalidDate
    /// A date outside the years 0000 to 9999, or finer than 17 digits.
    case dateOutOfRange
    /// A number that needs more than 64 bits.
    case numberOutOfRange
    case unknownKey
    case duplicateKey
    /// A known kind of value where another is required.
    case wrongType
}
