// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel

/// The keychains that people's commands and the helpers look through, and the default one, where they put what is new.
package struct SearchList {
    package let standard: ToolKeychain
    /// Those that can be searched, in order: the search list, and the default one where that is not in it.
    package let searched: [ToolKeychain]
    /// Those that are not there: a search makes none.
    package let absent: [Absent]
    /// Those that are there and cannot be opened, while others can: what is not found may be in them.
    package let unopened: [Unopened]

    package struct Absent {
        package let keychain: ToolKeychain
        /// Whether the user has put it into the list: then it was here once.
        package let wasHere: Bool

        /// Why it is not there, if it was.
        package var disappearance: CommandError? {
            let loss = try? VanishedKeychain(at: keychain.place, isListed: wasHere)
            return (keychain.host.disappearance ?? loss?.error).map { CommandError($0) }
        }
    }

    package struct Unopened {
        package let keychain: ToolKeychain
        package let error: CommandError

        /// For a person, beside what the others have.
        package var warning: String {
            error.at("the keychain \(keychain.shownName) cannot be opened, so what it has is not found").description
        }
    }

    package init() throws(CommandError) {
        let preferences = try ToolKeychain.translating { () throws(KeychainError) in
            try KeychainPreferences(of: .current())
        }
        standard = try ToolKeychain(at: preferences.standard)
        var (present, absent): ([ToolKeychain], [Absent]) = ([], [])
        for place in preferences.lookedThroughWithStandard {
            let keychain = try ToolKeychain(at: place)
            if try keychain.isThere {
                present.append(keychain)
            } else {
                absent.append(Absent(keychain: keychain, wasHere: preferences.searches(place)))
            }
        }
        var (opened, unopened): ([ToolKeychain], [Unopened]) = ([], [])
        // One alone says so itself, when it is asked for something.
        for keychain in present.count > 1 ? present : [] {
            do throws(CommandError) {
                _ = try keychain.state()
                opened.append(keychain)
            } catch { unopened.append(Unopened(keychain: keychain, error: error)) }
        }
        // So does each where none opens.
        (searched, self.unopened) = opened.isEmpty ? (present, []) : (opened, unopened)
        self.absent = absent
    }
}
