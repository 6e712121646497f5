// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// What `llavero` alone says: what it is and how one begins, or how the keychain is and what comes next.
enum FirstWords {
    /// To standard error: a script that forgot the verb is told so by the exit code.
    static func say() {
        let keychain = (try? Keychains.preferences()).flatMap { try? ToolKeychain(at: $0.standard) }
        let lines = keychain.flatMap(there) ?? beginning
        let text = Array(PlainText.lines((lines + ["", ending, ""]).joined(separator: "\n")).utf8)
        _ = unsafe write(STDERR_FILENO, text, text.count)
    }

    /// nil where there never was one.
    private static func there(_ keychain: ToolKeychain) -> [String]? {
        if (try? keychain.isThere) == true { return state(of: keychain) }
        guard let vanished = MissedKeychain(keychain) else { return nil }
        return ["The keychain \(keychain.shownName) \(vanished.text).", "", command("doctor", "says what to do")]
    }

    private static let beginning =
        [
            "Llavero keeps passwords, keys and certificates, encrypted, in a folder of yours.",
            "There is no keychain yet: the first item makes one.", "",
        ] + [
            command("add mail --user ada", "stores a password, which it asks for; --generate makes one"),
            command("get mail", "prints it; `llavero copy mail` puts it into the clipboard"),
            command("import FILE", "takes over what another password manager has"),
            command("run --env TOKEN=mail -- COMMAND", "gives it to a command"),
            command("browse", "shows everything on the whole screen"),
        ]

    private static let ending =
        "`llavero help` lists all verbs, `llavero help add` explains one, `man llavero` has all of it."

    private static func state(of keychain: ToolKeychain) -> [String] {
        let title = "The keychain \(keychain.shownName)"
        let state: KeychainState
        do throws(CommandError) { state = try keychain.state() } catch {
            return ["\(title) cannot be opened: \(error.description)", "", command("doctor", "says what to do")]
        }
        var (lines, next) = ([String](), [String]())
        switch state.lockState {
        case .noPasscode:
            lines = ["\(title): \(items(in: keychain)), not locked"]
            next.append(command("passcode set", "so that it can be locked: until then a copy of its folder opens"))
        case .unlocked: lines = ["\(title): \(items(in: keychain)), unlocked"]
        case .locked, .beforeFirstUnlock:
            lines = ["\(title) is locked"]
            next.append(command("unlock", "asks for the passcode"))
        }
        if !state.hasRecoveryKey {
            next.append(command("recovery make", "words to write down, for when device or passcode are lost"))
        }
        if BackupMark(keychain)?.time == nil { next.append(command("backup FILE", "none was made from here so far")) }
        next.append(command("doctor", "what is wrong or could be better"))
        lines += [
            "", command("browse", "shows it on the whole screen"),
            command("list", "lists your items; `llavero search TEXT` finds some"),
            command("get NAME", "prints a password; `llavero copy NAME` puts it into the clipboard"),
            command("add NAME", "stores one; --generate makes it"), "", "Next:",
        ]
        return lines + next
    }

    private static func items(in keychain: ToolKeychain) -> String {
        var count = 0
        for itemClass in ItemClass.allCases {
            let pages = ItemScope.own.pages(itemClass, AttributeList(), in: keychain)
            // A locked keychain shows what it can.
            while count <= most, let part = try? ItemScope.own.items(of: pages, in: keychain) { count += part.count }
        }
        return count > most ? "more than \(most) items of yours" : "\(count) item\(count == 1 ? "" : "s") of yours"
    }

    private static func command(_ words: String, _ what: String) -> String {
        let room = 35 - words.utf8.count
        return "  llavero \(words)\(String(repeating: " ", count: max(2, room)))\(what)"
    }

    private static let most = 1000
}
