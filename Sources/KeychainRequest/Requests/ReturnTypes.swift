// SPDX-License-Identifier: Apache-2.0

/// What a caller wants back of an item.
package struct ReturnTypes: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let data = ReturnTypes(rawValue: 1)
    package static let attributes = ReturnTypes(rawValue: 2)
    package static let reference = ReturnTypes(rawValue: 4)
    package static let persistentReference = ReturnTypes(rawValue: 8)
    /// What matches and cannot be read, too; it does not count for the limit.
    ///
    /// No call of Apple's asks for it.
    package static let damaged = ReturnTypes(rawValue: 16)
}

/// How many items a caller wants, and whether alone or in an array.
package enum MatchLimit: Sendable, Equatable {
    case nothing
    case single
    case atMost(Int)
    case all

    /// The number of rows after which to stop.
    package var count: Int {
        switch self {
        case .nothing: 0
        case .single: 1
        case .atMost(let count): count
        case .all: Int.max
        }
    }
}
