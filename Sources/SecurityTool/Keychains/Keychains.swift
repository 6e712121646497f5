// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// The keychains that a subcommand is about: those that are named, or those of the search list.
enum Keychains {
    static func preferences() throws(SecurityFailure) -> KeychainPreferences {
        try SecurityFailure.translating(keychain: "SecKeychainCopySearchList") { () throws(KeychainError) in
            try KeychainPreferences(of: .current())
        }
    }

    static func place(_ text: String) throws(SecurityFailure) -> Place {
        try SecurityFailure.translating(keychain: openCall(text)) { () throws(KeychainError) in
            let place = try Place.written(text, in: .current())
            let usual = try Place.named(by: .current())
            // `login.keychain-db` is the usual one too, before that was made.
            guard try !place.exists, case .folder(let root, let name) = place, case .folder(root, let own) = usual,
                name.hasPrefix(own), [".keychain", ".keychain-db"].contains(name.dropFirst(own.count))
            else { return place }
            return usual
        }
    }

    /// The keychain that is named, which has to be there.
    static func named(_ text: String) throws(SecurityFailure) -> ToolKeychain {
        let keychain = try open(try place(text), openCall(text))
        guard try isThere(keychain) else { throw .status(.noSuchKeychain, call: openCall(text), why: nil) }
        return keychain
    }

    /// Where to look: in those that are named, else in those of the search list that are there.
    static func searched(_ names: [String]) throws(SecurityFailure) -> [ToolKeychain] {
        var keychains: [ToolKeychain] = []
        if names.isEmpty {
            for place in try preferences().lookedThrough {
                let keychain = try open(place, openCall(place.path ?? ""))
                if try isThere(keychain) { keychains.append(keychain) }
            }
        } else {
            for name in names { keychains.append(try named(name)) }
        }
        return keychains
    }

    /// Where new items go: the one that is named, else the default one, which is made when it is not there.
    static func target(_ name: String?) throws(SecurityFailure) -> ToolKeychain {
        if let name { return try named(name) }
        let standard = try preferences().standard
        return try open(standard, openCall(standard.path ?? ""))
    }

    static func open(_ place: Place, _ call: String = "SecKeychainOpen") throws(SecurityFailure) -> ToolKeychain {
        try SecurityFailure.translating(call) { () throws(CommandError) in try ToolKeychain(at: place) }
    }

    static func isThere(_ keychain: ToolKeychain) throws(SecurityFailure) -> Bool {
        try SecurityFailure.translating(openCall(keychain.path)) { () throws(CommandError) in try keychain.isThere }
    }

    static func openCall(_ text: String) -> String { "SecKeychainOpen \(text)" }
}

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

extension ToolKeychain {
    /// What people and scripts call it.
    var path: String { place.path ?? "" }
}
