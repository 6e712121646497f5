// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import Foundation
internal import KeychainConnection
internal import KeychainModel

/// Gives the keychain that `security` and these functions mean when none is named.
@discardableResult
public func SecKeychainCopyDefault(_ keychain: UnsafeMutablePointer<SecKeychain?>) -> OSStatus {
    Call.status("SecKeychainCopyDefault") { () throws(KeychainError) in
        unsafe keychain.pointee = try SecKeychain.meant(by: nil)
    }
}

/// Makes a keychain the one that is meant when none is named.
@discardableResult
public func SecKeychainSetDefault(_ keychain: SecKeychain?) -> OSStatus {
    Call.status("SecKeychainSetDefault") { () throws(KeychainError) in
        guard let keychain else { throw KeychainError(.parameter, "the new default keychain has to be named") }
        let environment = Environment.current()
        let usual = try Place.named(by: environment)
        let place = keychain.place ?? usual
        guard try ProcessHost.host(at: place).isThere else {
            throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: place.path)
        }
        var preferences = try KeychainPreferences(of: environment)
        preferences.standard = place
        try preferences.save()
    }
}

/// Gives the keychains that `security` searches, in their order.
@discardableResult
public func SecKeychainCopySearchList(_ searchList: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    Call.status("SecKeychainCopySearchList") { () throws(KeychainError) in
        let keychains = try SecKeychain.searched().map { SecKeychain($0) }
        unsafe searchList.pointee = NSArray(array: keychains)
    }
}

/// Changes which keychains `security` searches, and in which order.
@discardableResult
public func SecKeychainSetSearchList(_ searchList: CFArray) -> OSStatus {
    Call.status("SecKeychainSetSearchList") { () throws(KeychainError) in
        guard let keychains = searchList as? [SecKeychain] else {
            throw KeychainError(.parameter, "a search list is an array of SecKeychain")
        }
        let environment = Environment.current()
        let usual = try Place.named(by: environment)
        var preferences = try KeychainPreferences(of: environment)
        preferences.search = keychains.map { $0.place ?? usual }
        try preferences.save()
    }
}

extension SecKeychain {
    /// The keychain itself, or the default one for nil.
    static func meant(by keychain: SecKeychain?) throws(KeychainError) -> SecKeychain {
        if let keychain { return keychain }
        guard let environment = SecKeychain.ownEnvironment else { return SecKeychain(nil) }
        let standard = try KeychainPreferences(of: environment).standard
        return SecKeychain(try standard == Place.named(by: environment) ? nil : standard)
    }

    /// Those of the search list; nil stands for the program's own.
    static func searched() throws(KeychainError) -> [Place?] {
        guard let environment = SecKeychain.ownEnvironment else { return [nil] }
        let usual = try Place.named(by: environment)
        return try KeychainPreferences(of: environment).search.map { $0 == usual ? nil : $0 }
    }

    /// nil where the program's own keychain is a test's: then there are no others that go without saying.
    private static var ownEnvironment: Environment? {
        let environment = Environment.current()
        if KeychainConnection.isolated != nil || ProcessHost.isKeptFromRealOnes(environment) { return nil }
        return environment
    }
}
