// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: it never changes.
/// A keychain, whether it is there or not: each has a passcode, a lock state and settings of its own.
///
/// Without one, the item functions are about the program's own, which is `login` unless somebody names another.
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
        guard let place else { return try KeychainConnection.host() }
        return try ProcessHost.host(at: place)
    }

    func path() throws(KeychainError) -> String {
        if let place { return place.path ?? "memory" }
        let own = try KeychainConnection.host()
        return (own as? FollowingHost)?.embedded.place.path ?? "memory"
    }
}

extension SecKeychain: KeychainCarrying {}

/// The type number of keychains.
public func SecKeychainGetTypeID() -> CFTypeID { SecKeychain.typeID }

extension SecKeychain: CFTypeIdentified {
    static var typeID: CFTypeID { 107 }
}
