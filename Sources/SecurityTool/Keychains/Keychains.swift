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
