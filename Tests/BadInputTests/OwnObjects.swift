// SPDX-License-Identifier: Apache-2.0

import Security

/// An object no framework knows.
final class PlainObject: NSObject {}

/// A dictionary of a program's own class, which may say another count than it has, and name keys it has no value for.
final class OwnDictionary: NSDictionary {
    private let entries: NSDictionary
    private let claimedCount: Int
    private let forgets: Bool

    init(_ entries: NSDictionary, claimedCount: Int? = nil, forgets: Bool = false) {
        self.entries = entries
        self.claimedCount = claimedCount ?? entries.count
        self.forgets = forgets
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    required init(objects: UnsafePointer<AnyObject>!, forKeys keys: UnsafePointer<NSObject>!, count: Int) {
        entries = NSDictionary(objects: objects, forKeys: keys, count: count)
        claimedCount = count
        forgets = false
        super.init(objects: nil, forKeys: nil, count: 0)
    }

    required init?(coder: NSCoder) { nil }

    override var count: Int { claimedCount }
    override func object(forKey key: Any) -> Any? { forgets ? nil : entries.object(forKey: key) }
    override func keyEnumerator() -> NSEnumerator { entries.keyEnumerator() }
}

/// A string of a program's own class that holds half a surrogate pair, which no UTF-8 can say.
final class HalfPair: NSString {
    private static let units: [unichar] = Array("MARKED".utf16) + [0xD800, 0x62]

    override var length: Int { HalfPair.units.count }

    override func character(at index: Int) -> unichar { HalfPair.units[index] }

    override func copy(with zone: NSZone? = nil) -> Any { self }

    required init(string: String) { super.init(characters: HalfPair.units, length: HalfPair.units.count) }

    required convenience init?(coder: NSCoder) { nil }

    required convenience init(stringLiteral value: StaticString) { self.init(string: "") }

    required convenience init(extendedGraphemeClusterLiteral value: StaticString) { self.init(string: "") }

    required convenience init(unicodeScalarLiteral value: StaticString) { self.init(string: "") }
}
