// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
internal import KeychainSystem
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: what changes in it stands behind a lock.
/// An access list, which protects nothing: programs are told apart by their access groups (decision D24).
///
/// It can be made, looked into and handed over, so that programs which do so go on; nothing asks it.
public final class SecAccess: NSObject, @unchecked Sendable {
    private let state: ForkSafeMutex<[SecACL]>
    let descriptor: String
    let owner: (user: uid_t, group: gid_t, type: SecAccessOwnerType)

    init(
        _ descriptor: String, owner: (user: uid_t, group: gid_t, type: SecAccessOwnerType), _ lists: [SecACL]
    ) {
        self.descriptor = descriptor
        self.owner = owner
        state = ForkSafeMutex(lists)
        super.init()
    }

    var lists: [SecACL] { state.withLock { $0 } }

    func add(_ list: SecACL) { state.withLock { $0.append(list) } }

    func remove(_ list: SecACL) { state.withLock { lists in lists.removeAll { $0 === list } } }

    private static let wasSaid = ForkSafeMutex(false)

    /// Says once in a process's life what an access list is worth here.
    static func remarkOnce() {
        let isNews = wasSaid.withLock { said in
            defer { said = true }
            return !said
        }
        if isNews {
            Log.write("access lists (SecAccess) protect nothing on Linux; access groups and SecAccessControl do")
        }
    }
}

/// The type number of access lists.
public func SecAccessGetTypeID() -> CFTypeID { SecAccess.typeID }

extension SecAccess: CFTypeIdentified {
    static var typeID: CFTypeID { 108 }
}

/// Who owns an access list, in bits.
public typealias SecAccessOwnerType = UInt32

/// Only the user counts.
public let kSecUseOnlyUID: SecAccessOwnerType = 1
/// Only the group counts.
public let kSecUseOnlyGID: SecAccessOwnerType = 2
/// The system's administrator is honoured too.
public let kSecHonorRoot: SecAccessOwnerType = 0x100
/// User and group both have to match.
public let kSecMatchBits: SecAccessOwnerType = kSecUseOnlyUID | kSecUseOnlyGID

/// Makes an access list with Apple's usual parts: one for changing it, one for use by trusted programs, one for all else.
///
/// It protects nothing here; see ``SecAccess``.
///
/// - Parameters:
///   - descriptor: What it protects, for people.
///   - trustedlist: The trusted programs; nil for this one, an empty array for none.
///   - accessRef: Set to it.
@discardableResult
public func SecAccessCreate(
    _ descriptor: CFString, _ trustedlist: CFArray?, _ accessRef: UnsafeMutablePointer<SecAccess?>
) -> OSStatus {
    Call.status("SecAccessCreate") { () throws(KeychainError) in
        SecAccess.remarkOnce()
        var trusted = try SecTrustedApplication.list(trustedlist)
        if trusted == nil { trusted = [try SecTrustedApplication(path: nil)] }
        let text = descriptor as String
        let access = SecAccess(text, owner: (getuid(), getgid(), kSecUseOnlyUID), [])
        access.add(SecACL(access, nil, text, [], [kSecACLAuthorizationEncrypt]))
        access.add(
            SecACL(
                access, trusted, text, [],
                [
                    kSecACLAuthorizationDecrypt, kSecACLAuthorizationDerive, kSecACLAuthorizationExportClear,
                    kSecACLAuthorizationExportWrapped, kSecACLAuthorizationMAC, kSecACLAuthorizationSign,
                ]))
        access.add(SecACL(access, [], text, [], [kSecACLAuthorizationChangeACL]))
        unsafe accessRef.pointee = access
    }
}

/// Makes an access list with an owner and its parts; nil, and an error, when the array has something else.
///
/// It protects nothing here; see ``SecAccess``.
public func SecAccessCreateWithOwnerAndACL(
    _ userId: uid_t, _ groupId: gid_t, _ ownerType: SecAccessOwnerType, _ acls: CFArray?,
    _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecAccess? {
    unsafe KeyCall.result("SecAccessCreateWithOwnerAndACL", error) { () throws(KeychainError) in
        SecAccess.remarkOnce()
        guard let lists = acls.map({ $0 as? [SecACL] }) ?? [] else {
            throw KeychainError(.parameter, "the array has something else than SecACL")
        }
        return SecAccess("", owner: (userId, groupId, ownerType), lists)
    }
}

/// Gives the owner and the parts of an access list.
@discardableResult
public func SecAccessCopyOwnerAndACL(
    _ accessRef: SecAccess, _ userId: UnsafeMutablePointer<uid_t>?, _ groupId: UnsafeMutablePointer<gid_t>?,
    _ ownerType: UnsafeMutablePointer<SecAccessOwnerType>?, _ aclList: UnsafeMutablePointer<CFArray?>?
) -> OSStatus {
    if let userId = unsafe userId { unsafe userId.pointee = accessRef.owner.user }
    if let groupId = unsafe groupId { unsafe groupId.pointee = accessRef.owner.group }
    if let ownerType = unsafe ownerType { unsafe ownerType.pointee = accessRef.owner.type }
    if let aclList = unsafe aclList { unsafe aclList.pointee = NSArray(array: accessRef.lists) }
    return errSecSuccess
}

/// Gives the parts of an access list.
@discardableResult
public func SecAccessCopyACLList(
    _ accessRef: SecAccess, _ aclList: UnsafeMutablePointer<CFArray?>
) -> OSStatus {
    unsafe aclList.pointee = NSArray(array: accessRef.lists)
    return errSecSuccess
}

/// The parts of an access list that are about an authorization; nil when none is.
public func SecAccessCopyMatchingACLList(_ accessRef: SecAccess, _ authorizationTag: CFTypeRef) -> CFArray? {
    guard let tag = authorizationTag as? NSString else { return nil }
    let lists = accessRef.lists.filter { list in
        list.authorizations.contains { $0.isEqual(tag) || $0.isEqual(kSecACLAuthorizationAny) }
    }
    return lists.isEmpty ? nil : NSArray(array: lists)
}

// What items and keychains say of their access lists.

/// Gives the access list of an item: none has one, so this is ``errSecNoAccessForItem``.
@discardableResult
public func SecKeychainItemCopyAccess(
    _ itemRef: SecKeychainItem, _ access: UnsafeMutablePointer<SecAccess?>
) -> OSStatus {
    SecAccess.remarkOnce()
    return errSecNoAccessForItem
}

/// Would give an item an access list; it changes nothing, and is ``errSecUnimplemented``.
@discardableResult
public func SecKeychainItemSetAccess(_ itemRef: SecKeychainItem, _ access: SecAccess) -> OSStatus {
    SecAccess.remarkOnce()
    return errSecUnimplemented
}

/// Gives the access list of a keychain: none has one, so this is ``errSecNoAccessForItem``.
@discardableResult
public func SecKeychainCopyAccess(
    _ keychain: SecKeychain?, _ access: UnsafeMutablePointer<SecAccess?>
) -> OSStatus {
    SecAccess.remarkOnce()
    return errSecNoAccessForItem
}

/// Would give a keychain an access list; it changes nothing, and is ``errSecUnimplemented``.
@discardableResult
public func SecKeychainSetAccess(_ keychain: SecKeychain?, _ access: SecAccess) -> OSStatus {
    SecAccess.remarkOnce()
    return errSecUnimplemented
}
