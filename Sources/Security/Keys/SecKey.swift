// SPDX-License-Identifier: Apache-2.0

internal import KeychainKeys
internal import KeychainModel
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: it never changes.
/// A public, private or symmetric key.
public final class SecKey: NSObject, @unchecked Sendable {
    let key: CryptoKey
    let terms: KeyTerms
    /// The terms of the public half of a private key.
    let publicTerms: KeyTerms
    /// Who does with the key what its bytes are needed for, when they are not here.
    let keeper: KeyKeeper?
    /// The item it was found in or stored as.
    let item: KeyItem?

    init(
        _ key: CryptoKey, terms: KeyTerms = .none, publicTerms: KeyTerms = .none, keeper: KeyKeeper? = nil,
        item: KeyItem? = nil
    ) {
        self.key = key
        self.terms = terms
        self.publicTerms = publicTerms
        self.keeper = keeper
        self.item = item
        super.init()
    }

    /// Two references are equal when they are to the same part of the same key.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        if key.isEqual(to: other.key) { return true }
        // A symmetric key that stays where it is can only be told by its item.
        guard key.part == .symmetric, other.key.part == .symmetric, let item else { return false }
        return item.id == other.item?.id
    }

    /// A hash of what is public of the key: of a symmetric key that is its size alone.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(key.type)
        hasher.combine(key.part)
        hasher.combine(key.bits)
        hasher.combine(key.publicRepresentation)
        return hasher.finalize()
    }

    /// Says nothing of what it holds.
    public override var description: String { "SecKey(\(key.type), \(key.part), \(key.bits) bits)" }
    /// Says nothing of what it holds.
    public override var debugDescription: String { description }
}

extension SecKey: CustomReflectable {
    /// Shows nothing of what it holds.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type number of keys.
public func SecKeyGetTypeID() -> CFTypeID { SecKey.typeID }

extension SecKey: CFTypeIdentified {
    static var typeID: CFTypeID { 101 }
}
