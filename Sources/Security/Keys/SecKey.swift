// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import KeychainKeys

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: it never changes.
/// A public, private or symmetric key.
public final class SecKey: NSObject, @unchecked Sendable {
    let key: CryptoKey
    let terms: KeyTerms
    /// The terms of the public half of a private key.
    let publicTerms: KeyTerms

    init(_ key: CryptoKey, terms: KeyTerms = .none, publicTerms: KeyTerms = .none) {
        self.key = key
        self.terms = terms
        self.publicTerms = publicTerms
        super.init()
    }

    /// Two references are equal when they are to the same part of the same key.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecKey).map { key.isEqual(to: $0.key) } ?? false
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
