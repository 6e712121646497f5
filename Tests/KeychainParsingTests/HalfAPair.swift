// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The text "a", half a surrogate pair, "b", as only a subclass can hold it here: Foundation's own strings are UTF-8
/// inside and replace the half before anybody sees it.
final class HalfAPair: NSString {
    private static let units: [unichar] = [0x61, 0xD800, 0x62]

    override var length: Int { HalfAPair.units.count }

    override func character(at index: Int) -> unichar { HalfAPair.units[index] }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    required init(string aString: String) { super.init(characters: HalfAPair.units, length: 3) }

    required convenience init?(coder: NSCoder) { nil }

    required convenience init(stringLiteral value: StaticString) { self.init(string: "") }

    required convenience init(extendedGraphemeClusterLiteral value: StaticString) { self.init(string: "") }

    required convenience init(unicodeScalarLiteral value: StaticString) { self.init(string: "") }
}
