// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainTools

/// The findings about the other keychains that commands look through: what is wrong with them, and that they are not there.
enum SearchListExamination {
    static func findings(besides examined: ToolKeychain) -> [Diagnosis] {
        // A list that cannot be read was reported before.
        guard let preferences = try? Keychains.preferences() else { return [] }
        return preferences.lookedThroughWithStandard.flatMap { place -> [Diagnosis] in
            guard place != examined.place, let keychain = try? ToolKeychain(at: place) else { return [] }
            let name = "keychain \(keychain.shownName)"
            guard (try? keychain.isThere) == false else {
                return KeychainExamination.findings(of: keychain).filter { $0.grade == .wrong }
            }
            if let vanished = MissedKeychain(keychain, isListed: preferences.searches(place)) {
                return [.wrong(name, PlainText.shown(vanished.text), fix: vanished.fix())]
            }
            guard preferences.hasList, !keychain.beginsByItself else { return [] }
            return [
                .advice(
                    name, "is in the search list, and does not exist",
                    fix: "llavero keychains search NAME… without it, or \(keychain.creationCommand)")
            ]
        }
    }
}
