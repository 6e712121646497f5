// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

// Access lists, items and keychains of older Macs, by their references.
import Foundation
import Security

enum AccessLists {
    static func make(_ name: String, programs paths: [String]) -> SecAccess? {
        let programs = paths.compactMap { path -> SecTrustedApplication? in
            var program: SecTrustedApplication?
            return SecTrustedApplicationCreateFromPath(path, &program) == errSecSuccess ? program : nil
        }
        var access: SecAccess?
        guard SecAccessCreate(name as CFString, programs as CFArray, &access) == errSecSuccess else { return nil }
        return access
    }

    static func entries(_ access: SecAccess) -> [(programs: Int?, text: String, authorizations: [String])] {
        var list: CFArray?
        guard SecAccessCopyACLList(access, &list) == errSecSuccess else { return [] }
        return (list as? [SecACL] ?? []).map { entry in
            var programs: CFArray?
            var text: CFString?
            var prompts = SecKeychainPromptSelector()
            SecACLCopyContents(entry, &programs, &text, &prompts)
            let names = SecACLCopyAuthorizations(entry) as? [String] ?? []
            return (programs.map { CFArrayGetCount($0) }, text as String? ?? "", names)
        }
    }

    static func allowAll(_ access: SecAccess) -> Bool {
        guard let list = SecAccessCopyMatchingACLList(access, kSecACLAuthorizationDecrypt) as? [SecACL] else {
            return false
        }
        return list.allSatisfy { SecACLSetContents($0, nil, "everybody" as CFString, []) == errSecSuccess }
    }
}

final class Watcher {
    nonisolated(unsafe) static var events: [SecKeychainEvent] = []

    static func start() -> OSStatus {
        SecKeychainAddCallback(
            { event, info, _ in
                Watcher.events.append(event)
                if event == .addEvent { _ = info.pointee.item.takeUnretainedValue() }
                return errSecSuccess
            }, [.addEventMask, .updateEventMask, .deleteEventMask, .lockEventMask], nil)
    }
}

struct ClassicItem {
    let reference: SecKeychainItem

    init?(service: String, account: String, in keychain: SecKeychain? = nil) {
        var found: SecKeychainItem?
        let status = SecKeychainFindGenericPassword(
            keychain, UInt32(service.utf8.count), service, UInt32(account.utf8.count), account, nil, nil, &found)
        guard status == errSecSuccess, let found else { return nil }
        reference = found
    }

    static func add(service: String, account: String, password: String) -> OSStatus {
        let bytes = Array(password.utf8)
        return SecKeychainAddGenericPassword(
            nil, UInt32(service.utf8.count), service, UInt32(account.utf8.count), account, UInt32(bytes.count), bytes,
            nil)
    }

    var password: String? {
        var length: UInt32 = 0
        var data: UnsafeMutableRawPointer?
        guard SecKeychainItemCopyContent(reference, nil, nil, &length, &data) == errSecSuccess, let data else {
            return nil
        }
        defer { SecKeychainItemFreeContent(nil, data) }
        return String(data: Data(bytes: data, count: Int(length)), encoding: .utf8)
    }

    func setPassword(_ password: String) -> OSStatus {
        password.withCString { SecKeychainItemModifyContent(reference, nil, UInt32(strlen($0)), $0) }
    }

    func setLabel(_ label: String) -> OSStatus {
        var bytes = Array(label.utf8)
        return bytes.withUnsafeMutableBytes { buffer in
            var attribute = SecKeychainAttribute(
                tag: SecItemAttr.labelItemAttr.rawValue, length: UInt32(buffer.count), data: buffer.baseAddress)
            return withUnsafeMutablePointer(to: &attribute) { pointer in
                var list = SecKeychainAttributeList(count: 1, attr: pointer)
                return SecKeychainItemModifyAttributesAndData(reference, &list, 0, nil)
            }
        }
    }

    var persistentReference: Data? {
        var data: CFData?
        return SecKeychainItemCreatePersistentReference(reference, &data) == errSecSuccess ? data as Data? : nil
    }

    func remove() -> OSStatus { SecKeychainItemDelete(reference) }
}

enum Keychains {
    static func path(_ keychain: SecKeychain?) -> String? {
        var length = UInt32(PATH_MAX)
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard SecKeychainGetPath(keychain, &length, &buffer) == errSecSuccess else { return nil }
        return FileManager.default.string(withFileSystemRepresentation: buffer, length: Int(length))
    }

    static func settings(_ keychain: SecKeychain?) -> SecKeychainSettings? {
        var settings = SecKeychainSettings()
        settings.version = UInt32(SEC_KEYCHAIN_SETTINGS_VERS1)
        return SecKeychainCopySettings(keychain, &settings) == errSecSuccess ? settings : nil
    }

    static func isUnlocked(_ keychain: SecKeychain?) -> Bool {
        var status: SecKeychainStatus = 0
        guard SecKeychainGetStatus(keychain, &status) == errSecSuccess else { return false }
        return status & kSecUnlockStateStatus != 0 && status & kSecReadPermStatus != 0
    }

    static func temporary(_ path: String, password: String) -> SecKeychain? {
        var keychain: SecKeychain?
        let status = SecKeychainCreate(path, UInt32(password.utf8.count), password, false, nil, &keychain)
        return status == errSecSuccess ? keychain : nil
    }
}
