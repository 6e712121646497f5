// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// The default keychain and the search list.
extension Keychains {
    /// The keychain that a subcommand is about, the named one or else the default one, which has to be there.
    static func chosen(_ name: String?) throws(SecurityFailure) -> ToolKeychain {
        if let name { return try named(name) }
        let keychain = try target(nil)
        guard try isThere(keychain) else {
            throw .status(
                .noSuchKeychain, call: openCall(keychain.path), why: "the default keychain is made with its first item")
        }
        return keychain
    }

    /// The keychain that programs use which name none.
    static func usual() throws(SecurityFailure) -> Place {
        try SecurityFailure.translating(keychain: "SecKeychainCopyLogin") { () throws(KeychainError) in
            try Place.named(by: .current())
        }
    }

    /// A keychain that a list is to have: one that is there, or the one that will be when it is needed.
    static func listed(_ name: String) throws(SecurityFailure) -> Place {
        guard let place = try listedIfPresent(name) else {
            throw .status(.noSuchKeychain, call: openCall(name), why: nil)
        }
        return place
    }

    /// The same; nil where there is no such keychain.
    static func listedIfPresent(_ name: String) throws(SecurityFailure) -> Place? {
        let place = try place(name)
        if place == (try usual()) { return place }
        return try isThere(open(place, openCall(name))) ? place : nil
    }

    static func save(_ preferences: KeychainPreferences) throws(SecurityFailure) {
        try SecurityFailure.translating(keychain: "SecKeychainSetSearchList") { () throws(KeychainError) in
            try preferences.save()
        }
    }

    static func printPath(_ place: Place) { print("    \"\(place.path ?? "memory")\"") }

    /// A Mac has lists of the system and of all users too.
    static func requireUserDomain(_ options: SecurityOptions) throws(SecurityFailure) {
        guard let domain = options.value("d"), domain != "user" else { return }
        guard ["system", "common", "dynamic"].contains(domain) else { throw .usage("-d wants user") }
        throw .usage("-d \(domain): each user has one list here, and there is no other")
    }
}
