// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
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
    /// The keychain that it is in.
    let host: any KeychainHost

    init(_ reference: PersistentReference, in host: any KeychainHost) {
        self.reference = reference
        self.host = host
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
