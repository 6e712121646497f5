// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

/// Deletes an item; the reference finds nothing from then on.
@discardableResult
public func SecKeychainItemDelete(_ itemRef: SecKeychainItem) -> OSStatus {
    Call.status("SecKeychainItemDelete") { () throws(KeychainError) in
        try DeleteCall([kSecValueRef: itemRef] as NSDictionary, in: itemRef.host).answer()
    }
}

/// Gives the keychain that an item is in.
@discardableResult
public func SecKeychainItemCopyKeychain(
    _ itemRef: SecKeychainItem, _ keychainRef: UnsafeMutablePointer<SecKeychain?>
) -> OSStatus {
    Call.status("SecKeychainItemCopyKeychain") { () throws(KeychainError) in
        unsafe keychainRef.pointee = try itemRef.keychain()
    }
}

/// Makes a password or a certificate of its attributes and its data.
///
/// - Parameters:
///   - itemClass: The class; keys are imported or generated instead.
///   - attrList: The attributes.
///   - length: How many bytes the data has.
///   - data: The password, or the certificate in DER.
///   - keychainRef: Where to; nil for the default keychain.
///   - initialAccess: An access list, which protects nothing here: that is said once, in the log.
///   - itemRef: Set to a reference to the item.
@discardableResult
public func SecKeychainItemCreateFromContent(
    _ itemClass: SecItemClass, _ attrList: UnsafeMutablePointer<SecKeychainAttributeList>?, _ length: UInt32,
    _ data: UnsafeRawPointer?, _ keychainRef: SecKeychain?, _ initialAccess: SecAccess?,
    _ itemRef: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    Call.status("SecKeychainItemCreateFromContent") { () throws(KeychainError) in
        let made = try ItemClass(itemClass)
        guard made != .key else {
            throw KeychainError(.unimplemented, "keys are made by SecKeyCreateRandomKey and SecItemImport")
        }
        if initialAccess != nil { SecAccess.remarkOnce() }
        var entries: [CFString: Any] = [:]
        if let attrList = unsafe attrList { try unsafe ClassicList.read(attrList.pointee, of: made, into: &entries) }
        if made == .certificate {
            let der = NSData(copying: try unsafe Array(ClassicMemory.input(data, length)))
            guard let certificate = SecCertificateCreateWithData(nil, der) else {
                throw KeychainError(.parameter, "the data is no certificate in DER")
            }
            entries[kSecValueRef] = certificate
        } else {
            entries[kSecValueData] = try unsafe ClassicMemory.secret(data, length)
        }
        var name = ClassicName(made)
        for (key, value) in entries { name[key] = value }
        let item = try name.add(to: keychainRef)
        if let itemRef = unsafe itemRef { unsafe itemRef.pointee = item }
    }
}

/// Copies a password or a certificate into a keychain.
///
/// - Parameters:
///   - itemRef: The item.
///   - destKeychainRef: Where to; nil for the default keychain.
///   - initialAccess: An access list, which protects nothing here: that is said once, in the log.
///   - itemCopy: Set to a reference to the copy.
@discardableResult
public func SecKeychainItemCreateCopy(
    _ itemRef: SecKeychainItem, _ destKeychainRef: SecKeychain?, _ initialAccess: SecAccess?,
    _ itemCopy: UnsafeMutablePointer<SecKeychainItem?>?
) -> OSStatus {
    Call.status("SecKeychainItemCreateCopy") { () throws(KeychainError) in
        let found = try itemRef.find(withSecret: true)
        guard found.item.itemClass != .key else {
            throw KeychainError(.unimplemented, "keys are copied by SecItemExport and SecItemImport")
        }
        if initialAccess != nil { SecAccess.remarkOnce() }
        var name = ClassicName(found.item.itemClass)
        for entry in found.item.attributes?.entries ?? [] where entry.attribute.isCopied {
            name[entry.attribute.key as NSString] = ResultKeys.object(for: entry.value)
        }
        name[kSecAttrAccessControl] = SecAccessControl.shared(found.item.accessControl)
        if let secret = found.item.secret { name[kSecValueData] = SecretData(secret) }
        let copy = try name.add(to: destKeychainRef)
        if let itemCopy = unsafe itemCopy { unsafe itemCopy.pointee = copy }
    }
}

/// Gives a reference to an item that can be stored, as `kSecReturnPersistentRef` does.
@discardableResult
public func SecKeychainItemCreatePersistentReference(
    _ itemRef: SecKeychainItem, _ persistentItemRef: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    Call.status("SecKeychainItemCreatePersistentReference") { () throws(KeychainError) in
        unsafe persistentItemRef.pointee = NSData(copying: itemRef.reference.bytes)
    }
}

/// Gives the item that a stored reference is to, in one of the keychains of the search list.
@discardableResult
public func SecKeychainItemCopyFromPersistentReference(
    _ persistentItemRef: CFData, _ itemRef: UnsafeMutablePointer<SecKeychainItem?>
) -> OSStatus {
    Call.status("SecKeychainItemCopyFromPersistentReference") { () throws(KeychainError) in
        let query: [CFString: Any] = [kSecValuePersistentRef: persistentItemRef, kSecReturnAttributes: true]
        let request = try MatchRequest.parse(query as NSDictionary).request
        let found = try ClassicFinding.first(of: request, in: SecKeychain.hosts(of: nil))
        unsafe itemRef.pointee = found.reference
    }
}

extension Attribute {
    /// Whether a copy in another keychain says the same: not when it was made, nor what the keychain says itself.
    fileprivate var isCopied: Bool {
        switch self {
        case .accessible, .accessControl, .creationDate, .modificationDate, .digest, .tombstone, .multiUser, .tokenID,
            .syncIdentifier, .circleFacts, .synchronizable:
            false
        default: true
        }
    }
}

extension SecKeychainItem {
    /// What is to be known of it now.
    func find(withSecret: Bool) throws(KeychainError) -> ClassicFinding {
        var query: [CFString: Any] = [kSecValueRef: self, kSecReturnAttributes: true]
        if withSecret { query[kSecReturnData] = true }
        return try ClassicFinding.first(of: MatchRequest.parse(query as NSDictionary).request, in: [host])
    }

    fileprivate func keychain() throws(KeychainError) -> SecKeychain {
        let own = try CurrentKeychain.host()
        return SecKeychain(host === own ? nil : (host as? HandoverHost)?.embedded.place)
    }
}
