// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: it never changes.
/// A keychain, whether it is there or not: each has a passcode, a lock state and settings of its own.
///
/// Without one, the item functions are about the program's own, which is `login` unless another one is named.
public final class SecKeychain: NSObject, @unchecked Sendable {
    /// Where it is; nil for the program's own.
    let place: Place?

    init(_ place: Place?) {
        self.place = place
        super.init()
    }

    /// Two references are equal when they are to keychains at the same place.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecKeychain)?.place == place }

    /// A hash of the place.
    public override var hash: Int { place.hashValue }

    /// What a log or a debugger shows: where it is.
    public override var description: String {
        "<SecKeychain: \(place.map { $0.path ?? "memory" } ?? "the program's own")>"
    }

    func host() throws(KeychainError) -> any KeychainHost {
        guard let place else { return try CurrentKeychain.host() }
        return try ProcessHost.host(at: place)
    }

    func path() throws(KeychainError) -> String {
        if let place { return place.path ?? "memory" }
        let own = try CurrentKeychain.host()
        return (own as? HandoverHost)?.embedded.place.path ?? "memory"
    }
}

extension SecKeychain: KeychainCarrying {}

/// The type number of keychains.
public func SecKeychainGetTypeID() -> CFTypeID { SecKeychain.typeID }

extension SecKeychain: CFTypeIdentified {
    static var typeID: CFTypeID { 107 }
}

/// Makes a keychain, and the passcode that it has; without one it is never locked.
///
/// - Parameters:
///   - pathName: Its path, or its name among the user's keychains.
///   - passwordLength: How many bytes the passcode has.
///   - password: The passcode.
///   - promptUser: Must be false: this function does not ask.
///   - initialAccess: An access list, which protects nothing here: that is said once, in the log.
///   - keychain: Set to it.
@discardableResult
public func SecKeychainCreate(
    _ pathName: UnsafePointer<CChar>, _ passwordLength: UInt32, _ password: UnsafeRawPointer?, _ promptUser: Bool,
    _ initialAccess: SecAccess?, _ keychain: UnsafeMutablePointer<SecKeychain?>?
) -> OSStatus {
    let path = unsafe String(cString: pathName)
    if initialAccess != nil { SecAccess.remarkOnce() }
    return Call.status("SecKeychainCreate") { () throws(KeychainError) in
        guard !promptUser else {
            throw KeychainError(.interactionNotAllowed, "this function does not ask for a passcode; give it")
        }
        let passcode = try unsafe Passcode.given(passwordLength, password)
        let place = try Place.written(path, in: .current())
        let host = try ProcessHost.host(at: place)
        if try host.isThere {
            throw KeychainError(.duplicateKeychain, "the keychain already exists", subject: place.path)
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
            throw KeychainError(.parameter, "name the keychain to delete")
        }
        try ProcessHost.host(at: place).remove()
        try KeychainPreferences.forget(place, of: .current())
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
            throw KeychainError(.parameter, "the buffer is too small for the path")
        }
        unsafe bytes.withUnsafeBufferPointer { source in
            if let start = source.baseAddress { unsafe pathName.update(from: start, count: source.count) }
        }
        unsafe ioPathLength.pointee = UInt32(bytes.count - 1)
    }
}

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
        guard let keychain else { throw KeychainError(.parameter, "name the new default keychain") }
        let environment = Environment.current()
        let usual = try Place.named(by: environment)
        let place = keychain.place ?? usual
        guard try ProcessHost.host(at: place).isThere else {
            throw KeychainError(.noSuchKeychain, "there is no such keychain", subject: place.path)
        }
        try KeychainPreferences.change(of: environment) { $0.standard = place }
        KeychainCallbacks.tell(.defaultChangedEvent, keychain)
    }
}

/// Gives the keychains that `security` searches, in their order.
@discardableResult
public func SecKeychainCopySearchList(_ searchList: UnsafeMutablePointer<CFArray?>) -> OSStatus {
    Call.status("SecKeychainCopySearchList") { () throws(KeychainError) in
        let keychains = try SecKeychain.listed().map { SecKeychain($0) }
        unsafe searchList.pointee = NSArray(array: keychains)
    }
}

/// Changes which keychains `security` searches, and in which order.
@discardableResult
public func SecKeychainSetSearchList(_ searchList: CFArray) -> OSStatus {
    Call.status("SecKeychainSetSearchList") { () throws(KeychainError) in
        guard let keychains = searchList as? [SecKeychain] else {
            throw KeychainError(.parameter, "the search list is not an array of SecKeychain")
        }
        let environment = Environment.current()
        let usual = try Place.named(by: environment)
        let search = keychains.map { $0.place ?? usual }
        try KeychainPreferences.change(of: environment) { $0.search = search }
        KeychainCallbacks.tell(.keychainListChangedEvent)
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
    static func listed() throws(KeychainError) -> [Place?] { try places { $0.search } }

    /// Those that a search looks into which names none: of the list, or the one alone that the environment names.
    static func searched() throws(KeychainError) -> [Place?] { try places { $0.lookedThrough } }

    private static func places(_ chosen: (KeychainPreferences) -> [Place]) throws(KeychainError) -> [Place?] {
        guard let environment = SecKeychain.ownEnvironment else { return [nil] }
        let usual = try Place.named(by: environment)
        return chosen(try KeychainPreferences(of: environment)).map { $0 == usual ? nil : $0 }
    }

    /// nil where the program's own keychain is a test's: then there are no others that go without saying.
    private static var ownEnvironment: Environment? {
        let environment = Environment.current()
        if CurrentKeychain.isolated != nil || ProcessHost.isKeptFromRealOnes(environment) { return nil }
        return environment
    }
}

extension Passcode {
    /// nil when it is empty.
    static func given(_ count: UInt32, _ bytes: UnsafeRawPointer?) throws(KeychainError) -> Passcode? {
        guard count > 0 else { return nil }
        guard let bytes = unsafe bytes else {
            throw KeychainError(.parameter, "the passcode has a length and no bytes")
        }
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: Int(count))
        guard let passcode = unsafe Passcode(copying: buffer) else {
            throw KeychainError(.parameter, "a passcode must have between 1 and 1000 bytes")
        }
        return passcode
    }
}
