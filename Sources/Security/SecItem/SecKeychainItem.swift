// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: it never changes.
/// A reference to a password in the keychain, as `kSecReturnRef` gives it (decision D5).
///
/// It stands for the item as long as that is there, whatever becomes of its attributes. It holds no secret.
public final class SecKeychainItem: NSObject, @unchecked Sendable {
    let reference: PersistentReference

    init(_ reference: PersistentReference) {
        self.reference = reference
        super.init()
    }

    /// Two references are equal when they are to the same item.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? SecKeychainItem)?.reference == reference
    }

    /// A hash of what it refers to.
    public override var hash: Int { reference.hashValue }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type number of references to passwords.
public func SecKeychainItemGetTypeID() -> CFTypeID { SecKeychainItem.typeID }

extension SecKeychainItem: CFTypeIdentified {
    static var typeID: CFTypeID { 106 }
}

extension SecKeychainItem: ItemReferring {
    package func referral(for purpose: ReferralPurpose) throws(KeychainError) -> ItemReferral { .stored(reference) }
}
