// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainStatus
internal import KeychainTools

/// The keychains for a subcommand: the named ones, or those of the search list.
enum KeychainSearch {
    static func preferences() throws(SecurityFailure) -> KeychainPreferences {
        try SecurityFailure.translating(keychain: "SecKeychainCopySearchList") { () throws(KeychainError) in
            try KeychainPreferences(of: .current())
        }
    }

    static func place(_ text: String) throws(SecurityFailure) -> Place {
        try SecurityFailure.translating(keychain: openCall(text)) { () throws(KeychainError) in
            let place = try Place.written(text, in: .current())
            let usual = try Place.named(by: .current())
            // `login.keychain-db` also names the usual keychain, even before that exists.
            guard try !place.exists, case .folder(let root, let name) = place, case .folder(root, let own) = usual,
                name.hasPrefix(own), [".keychain", ".keychain-db"].contains(name.dropFirst(own.count))
            else { return place }
            return usual
        }
    }

    /// The named keychain, which has to exist; `call` is what a message names where it does not.
    static func named(_ text: String, for call: String = "SecKeychainOpen") throws(SecurityFailure) -> ToolKeychain {
        let place = try place(text)
        try refuseFile(place, call: openCall(text))
        let keychain = try open(place, openCall(text))
        guard try isThere(keychain) else {
            let loss = try loss(of: keychain.place)
            let isYetToCome = keychain.place == (try usual())
            throw .status(
                .noSuchKeychain, call: "\(call) \(text)",
                why: why(isMissing: text) ?? loss?.description ?? (isYetToCome ? beforeFirstItem : nil))
        }
        return keychain
    }

    /// A list with it would have every search fail.
    private static func refuseFile(_ place: Place, call: String) throws(SecurityFailure) {
        guard place.isFile else { return }
        throw .status(
            .noSuchKeychain, call: call,
            why: "it is a file, as a Mac has; on the Mac `security dump-keychain -d` writes what `llavero import` takes"
        )
    }

    /// What stands here for a keychain that every Mac has.
    private static func why(isMissing text: String) -> String? {
        if text == ofMachine {
            return "the machine has no keychain of its own here; `add-trusted-cert -d` trusts for the machine"
        }
        guard text.hasPrefix(ofSystem) else { return nil }
        return "there are no such keychains here; the system's authorities are in /etc/ssl/certs"
    }

    /// The keychain of a Mac that has what is the whole machine's, and its trust.
    static let ofMachine = "/Library/Keychains/System.keychain"

    /// Where a Mac has the keychains that come with it.
    private static let ofSystem = "/System/Library/Keychains/"

    /// The keychains to search: the named ones, else the existing ones of the search list; one that was there and is gone is
    /// named.
    ///
    /// What changes or removes the first that it finds passes over none: the one that is gone may be meant.
    static func searched(
        _ names: [String], _ session: Session, forChange: Bool = false
    ) throws(SecurityFailure) -> [ToolKeychain] {
        var keychains: [ToolKeychain] = []
        if names.isEmpty {
            let preferences = try preferences()
            for place in preferences.lookedThrough {
                let keychain = try open(place, openCall(place.path ?? ""))
                if try isThere(keychain) {
                    keychains.append(keychain)
                } else if let loss = try loss(of: place, isListed: preferences.searches(place)) {
                    guard !forChange else {
                        throw .status(
                            .noSuchKeychain, call: openCall(place.path ?? ""),
                            why: "\(loss.description); or name the keychain that is meant")
                    }
                    session.warn(loss.description)
                } else {
                    try refuseNamedInVain(keychain)
                }
            }
        } else {
            for name in names { keychains.append(try named(name)) }
        }
        return keychains
    }

    /// What is said of the usual keychain before its first item.
    private static let beforeFirstItem = "the default keychain does not exist yet; its first item creates it"

    /// The keychain for new items: the named one, else the default one, which is created if it does not exist.
    ///
    /// So is the usual one where it is named, for that is what the lists name; none is made in the place of one that is gone.
    static func target(_ name: String?) throws(SecurityFailure) -> ToolKeychain {
        if let name {
            let place = try place(name)
            guard place == (try usual()), try loss(of: place) == nil else { return try named(name) }
            return try open(place, openCall(name))
        }
        let standard = try preferences().standard
        let keychain = try open(standard, openCall(standard.path ?? ""))
        if try loss(of: standard) == nil { try refuseNamedInVain(keychain) }
        return keychain
    }

    /// As for one that a script names on the command line.
    private static func refuseNamedInVain(_ keychain: ToolKeychain) throws(SecurityFailure) {
        guard let text = keychain.namedInVain else { return }
        throw .status(.noSuchKeychain, call: openCall(keychain.path), why: text)
    }

    /// The keychains that have a name alone and are not on the search list.
    static func others() throws(SecurityFailure) -> [Place] {
        let listed = try preferences().lookedThrough
        return try SecurityFailure.translating(keychain: "SecKeychainCopySearchList") { () throws(KeychainError) in
            try ProcessHost.namedPlaces().filter { !listed.contains($0) }
        }
    }

    static func open(_ place: Place, _ call: String = "SecKeychainOpen") throws(SecurityFailure) -> ToolKeychain {
        try SecurityFailure.translating(call) { () throws(CommandError) in try ToolKeychain(at: place) }
    }

    static func isThere(_ keychain: ToolKeychain) throws(SecurityFailure) -> Bool {
        try SecurityFailure.translating(openCall(keychain.path)) { () throws(CommandError) in try keychain.isThere }
    }

    /// What is to be said of a keychain that is missing; nil where it is there, or never was.
    static func loss(of place: Place, isListed: Bool = false) throws(SecurityFailure) -> KeychainError? {
        try SecurityFailure.translating(keychain: openCall(place.path ?? "")) { () throws(KeychainError) in
            try VanishedKeychain(at: place, isListed: isListed)?.error
        }
    }

    static func openCall(_ text: String) -> String { "SecKeychainOpen \(text)" }
}

/// The default keychain and the search list.
extension KeychainSearch {
    /// The keychain for a subcommand: the named one, or else the default one; it has to exist.
    static func chosen(
        _ name: String?, for call: String = "SecKeychainOpen"
    ) throws(SecurityFailure) -> ToolKeychain {
        if let name { return try named(name, for: call) }
        let keychain = try target(nil)
        guard try isThere(keychain) else {
            let loss = try loss(of: keychain.place)
            throw .status(
                .noSuchKeychain, call: openCall(keychain.path),
                why: loss?.description ?? beforeFirstItem)
        }
        return keychain
    }

    /// The keychain of programs that name none.
    static func usual() throws(SecurityFailure) -> Place {
        try SecurityFailure.translating(keychain: "SecKeychainCopyLogin") { () throws(KeychainError) in
            try Place.named(by: .current())
        }
    }

    /// A keychain for a list: an existing one, or the one that is created on demand.
    static func listed(_ name: String) throws(SecurityFailure) -> Place {
        guard let place = try listedIfPresent(name) else {
            throw .status(.noSuchKeychain, call: openCall(name), why: nil)
        }
        return place
    }

    /// The same; nil if the keychain does not exist.
    static func listedIfPresent(_ name: String) throws(SecurityFailure) -> Place? {
        let place = try place(name)
        if place == (try usual()) { return place }
        try refuseFile(place, call: openCall(name))
        return try isThere(open(place, openCall(name))) ? place : nil
    }

    static func changePreferences(_ change: (inout KeychainPreferences) -> Void) throws(SecurityFailure) {
        try SecurityFailure.translating(keychain: "SecKeychainSetSearchList") { () throws(KeychainError) in
            _ = try KeychainPreferences.change(of: .current(), change)
        }
    }

    static func printPath(_ place: Place) { print("    \"\(place.path ?? "memory")\"") }

    /// Those of a Mac's lists that have nothing in them here.
    static let emptyDomains = ["system", "common", "dynamic"]

    static func requireUserDomain(_ options: SecurityOptions) throws(SecurityFailure) {
        guard let domain = options.value("d"), domain != "user" else { return }
        guard emptyDomains.contains(domain) else { throw .usage("-d requires user") }
        throw .usage("-d \(domain) is not supported: only the user's own list exists here")
    }
}

extension ToolKeychain {
    /// Its path, as people and scripts name it.
    var path: String { place.path ?? "" }

    /// Why a password is the wrong one where there is none.
    var nothingLocksIt: String { "this keychain has no password, so nothing locks it; \(passwordAdvice)" }

    /// The command that gives a password to one that has none.
    var passwordAdvice: String {
        "`security set-keychain-password -o '' \(ShellWord.quoted(KeychainNames.name(of: place)))` sets one"
    }
}
