// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest

/// Makes a keychain, and the passcode that it has; without one it is never locked.
///
/// - Parameters:
///   - pathName: Its path, or its name among the user's keychains.
///   - passwordLength: How many bytes the passcode has.
///   - password: The passcode.
///   - promptUser: False: nobody is asked here.
///   - initialAccess: nil.
///   - keychain: Set to it.
@discardableResult
public func SecKeychainCreate(
    _ pathName: UnsafePointer<CChar>, _ passwordLength: UInt32, _ password: UnsafeRawPointer?, _ promptUser: Bool,
    _ initialAccess: SecAccess?, _ keychain: UnsafeMutablePointer<SecKeychain?>?
) -> OSStatus {
    let path = unsafe String(cString: pathName)
    return Call.status("SecKeychainCreate") { () throws(KeychainError) in
        guard !promptUser else {
            throw KeychainError(.interactionNotAllowed, "nobody is asked for the passcode of a new keychain; give it")
        }
        let passcode = try unsafe Passcode.given(passwordLength, password)
        let place = try Place.written(path, in: .current())
        let host = try ProcessHost.host(at: place)
        if try host.isThere {
            throw KeychainError(.duplicateKeychain, "the keychain is there already", subject: place.path)
        }
        _ = try host.make(passcode: passcode)
        if let keychain = unsafe keychain { unsafe keychain.pointee = SecKeychain(place) }
    }
}

/// Gives a reference to a keychain, which need not be there.
@discardableResult
public func SecKeychainOpen(
    _ pathName: UnsafePointer<CChar>, _ keychain: UnsafeMutablePointer<SecKeychain?>
) -> OSStatus {
    let path = unsafe String(cString: pathName)
    return Call.status("SecKeychainOpen") { () throws(KeychainError) in
        unsafe keychain.pointee = SecKeychain(try Place.written(path, in: .current()))
    }
}

/// Removes a keychain with everything in it, and takes it out of the search list.
@discardableResult
public func SecKeychainDelete(_ keychainOrArray: SecKeychain?) -> OSStatus {
    Call.status("SecKeychainDelete") { () throws(KeychainError) in
        guard let place = keychainOrArray?.place else {
            throw KeychainError(.parameter, "the keychain that is to go has to be named")
        }
        try ProcessHost.host(at: place).remove()
        var preferences = try KeychainPreferences(of: .current())
        let before = preferences
        preferences.forget(place)
        if preferences != before { try preferences.save() }
    }
}

/// Gives the path of a keychain, which is a folder; nil stands for the default keychain.
///
/// - Parameters:
///   - keychain: The keychain.
///   - ioPathLength: How many bytes there are; set to how many the path has without its end.
///   - pathName: Where the path goes, with a zero behind it.
@discardableResult
public func SecKeychainGetPath(
    _ keychain: SecKeychain?, _ ioPathLength: UnsafeMutablePointer<UInt32>, _ pathName: UnsafeMutablePointer<CChar>
) -> OSStatus {
    Call.status("SecKeychainGetPath") { () throws(KeychainError) in
        let bytes = try SecKeychain.meant(by: keychain).path().utf8CString
        guard unsafe bytes.count <= Int(ioPathLength.pointee) else {
            unsafe ioPathLength.pointee = UInt32(bytes.count - 1)
            throw KeychainError(.parameter, "the path does not fit")
        }
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { unsafe pathName.update(from: start, count: source.count) }
        }
        unsafe ioPathLength.pointee = UInt32(bytes.count - 1)
    }
}

extension Passcode {
    /// nil when it is empty.
    static func given(_ count: UInt32, _ bytes: UnsafeRawPointer?) throws(KeychainError) -> Passcode? {
        guard count > 0 else { return nil }
        guard let bytes = unsafe bytes else { throw KeychainError(.parameter, "there is no passcode of that length") }
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
        guard let passcode = unsafe Passcode(copying: buffer) else {
            throw KeychainError(.parameter, "a passcode has between 1 and 1000 bytes")
        }
        return passcode
    }
}
