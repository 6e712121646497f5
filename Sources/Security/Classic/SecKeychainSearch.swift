// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation

// Sendable: what changes in it stands behind a lock.
/// What a search found and has not given yet.
final class SearchResults<Result: Sendable>: Sendable {
    private let rest: ForkSafeMutex<ArraySlice<Result>>

    init(_ found: [Result]) { rest = ForkSafeMutex(found[...]) }

    func next() throws(KeychainError) -> Result {
        guard let next = rest.withLock({ $0.popFirst() }) else {
            throw KeychainError(.itemNotFound, "the search has no more items")
        }
        return next
    }
}

// Sendable: its only part is.
/// A search for passwords and certificates, which gives one after the other.
public final class SecKeychainSearch: NSObject, @unchecked Sendable {
    let results: SearchResults<SecKeychainItem>

    init(_ found: [SecKeychainItem]) {
        results = SearchResults(found)
        super.init()
    }
}

/// The type number of searches.
public func SecKeychainSearchGetTypeID() -> CFTypeID { SecKeychainSearch.typeID }

extension SecKeychainSearch: CFTypeIdentified {
    static var typeID: CFTypeID { 111 }
}

/// Begins a search for items of a class that have these attributes; it gives what is there now.
///
/// - Parameters:
///   - keychainOrArray: The keychain, or an array of them; nil for the search list.
///   - itemClass: The class.
///   - attrList: The attributes; nil for any.
///   - searchRef: Set to the search.
@discardableResult
public func SecKeychainSearchCreateFromAttributes(
    _ keychainOrArray: CFTypeRef?, _ itemClass: SecItemClass,
    _ attrList: UnsafePointer<SecKeychainAttributeList>?, _ searchRef: UnsafeMutablePointer<SecKeychainSearch?>
) -> OSStatus {
    Call.status("SecKeychainSearchCreateFromAttributes") { () throws(KeychainError) in
        let wanted = try ItemClass(itemClass)
        var entries: [CFString: Any] = [:]
        if let attrList = unsafe attrList { try unsafe ClassicList.read(attrList.pointee, of: wanted, into: &entries) }
        switch itemClass {
        case .publicKeyItemClass: entries[kSecAttrKeyClass] = kSecAttrKeyClassPublic
        case .privateKeyItemClass: entries[kSecAttrKeyClass] = kSecAttrKeyClassPrivate
        case .symmetricKeyItemClass: entries[kSecAttrKeyClass] = kSecAttrKeyClassSymmetric
        default: break
        }
        entries[kSecClass] = wanted.name
        entries[kSecReturnAttributes] = true
        entries[kSecMatchLimit] = kSecMatchLimitAll
        let request = try MatchRequest.parse(entries as NSDictionary).request
        let found = try SecKeychainSearch.items(of: request, in: SecKeychain.hosts(of: keychainOrArray))
        unsafe searchRef.pointee = SecKeychainSearch(found)
    }
}

/// Gives the next item of a search; ``errSecItemNotFound`` behind the last.
@discardableResult
public func SecKeychainSearchCopyNext(
    _ searchRef: SecKeychainSearch, _ itemRef: UnsafeMutablePointer<SecKeychainItem?>
) -> OSStatus {
    Call.status("SecKeychainSearchCopyNext") { () throws(KeychainError) in
        unsafe itemRef.pointee = try searchRef.results.next()
    }
}

extension SecKeychainSearch {
    /// Those of all keychains; a keychain that cannot be looked into is a failure only where nothing is found.
    fileprivate static func items(
        of request: MatchRequest, in hosts: [any KeychainHost]
    ) throws(KeychainError) -> [SecKeychainItem] {
        var (found, refusal): ([SecKeychainItem], KeychainError?) = ([], nil)
        for host in hosts {
            do throws(KeychainError) {
                for case .item(let item) in try host.session().match(request) {
                    found.append(SecKeychainItem(.item(item.itemClass, item.persistentID), in: host))
                }
            } catch { if error.reason != .itemNotFound, refusal == nil { refusal = error } }
        }
        if found.isEmpty, let refusal { throw refusal }
        return found
    }
}

// Identities.

// Sendable: its only part is.
/// A search for identities, which gives one after the other.
public final class SecIdentitySearch: NSObject, @unchecked Sendable {
    let results: SearchResults<SecIdentity>

    init(_ found: [SecIdentity]) {
        results = SearchResults(found)
        super.init()
    }
}

/// The type number of searches for identities.
public func SecIdentitySearchGetTypeID() -> CFTypeID { SecIdentitySearch.typeID }

extension SecIdentitySearch: CFTypeIdentified {
    static var typeID: CFTypeID { 112 }
}

/// Begins a search for identities whose key may be used so; it gives what is there now.
///
/// - Parameters:
///   - keychainOrArray: The keychain, or an array of them; nil for the search list.
///   - keyUsage: For what the key is wanted: bits such as ``CSSM_KEYUSE_SIGN``; 0 for any.
///   - searchRef: Set to the search.
@discardableResult
public func SecIdentitySearchCreate(
    _ keychainOrArray: CFTypeRef?, _ keyUsage: CSSM_KEYUSE, _ searchRef: UnsafeMutablePointer<SecIdentitySearch?>
) -> OSStatus {
    Call.status("SecIdentitySearchCreate") { () throws(KeychainError) in
        var query: [CFString: Any] = [
            kSecClass: kSecClassIdentity, kSecReturnRef: true, kSecMatchLimit: kSecMatchLimitAll,
        ]
        if keyUsage & CSSM_KEYUSE_ANY == 0 {
            let known = KeyBits.usages.reduce(0) { $0 | $1.bit }
            guard keyUsage & ~known == 0 else { throw KeychainError(.parameter, "no key is used so") }
            for usage in KeyBits.usages where keyUsage & usage.bit != 0 { query[usage.name] = true }
        }
        var (found, refusal): ([SecIdentity], KeychainError?) = ([], nil)
        for host in try SecKeychain.hosts(of: keychainOrArray) {
            do throws(KeychainError) {
                let call = MatchCall(try MatchRequest.parse(query as NSDictionary), in: host)
                var result: CFTypeRef?
                unsafe call.give(try call.answer(), to: &result)
                found += (result as? NSArray) as? [SecIdentity] ?? []
            } catch { if error.reason != .itemNotFound, refusal == nil { refusal = error } }
        }
        if found.isEmpty, let refusal { throw refusal }
        unsafe searchRef.pointee = SecIdentitySearch(found)
    }
}

/// Gives the next identity of a search; ``errSecItemNotFound`` behind the last.
@discardableResult
public func SecIdentitySearchCopyNext(
    _ searchRef: SecIdentitySearch, _ identity: UnsafeMutablePointer<SecIdentity?>
) -> OSStatus {
    Call.status("SecIdentitySearchCopyNext") { () throws(KeychainError) in
        unsafe identity.pointee = try searchRef.results.next()
    }
}
