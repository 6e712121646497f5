// SPDX-License-Identifier: Apache-2.0

/// Which part of a key one has; the numbers are Apple's.
package enum KeyPart: UInt32, Sendable, CaseIterable {
    case `public` = 0
    case `private` = 1
    case symmetric = 2

    /// The part of a `kSecAttrKeyClass…` constant's value.
    package init?(name: String) {
        guard let match = Self.allCases.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return nil }
        self = match
    }

    /// The number as text, as the constants have it.
    package var name: String { String(rawValue) }
}
