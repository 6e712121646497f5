// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainTools
internal import SecurityTool

/// The command line tool: one verb a call; `llavero help` lists them.
@main
enum LlaveroCommand {
    static func main() {
        Tool.start()
        LibraryStart.withoutConfiguration()
        var words = Tool.arguments.dropFirst()
        // One program under several names: the other tools are links to it.
        if Tool.name == "security" { SecurityTool.main(words) }
        if let helper = CredentialHelper(rawValue: Tool.name) { helper.main(words) }
        let name = words.popFirst() ?? ""
        do throws(CommandError) {
            // `run` passes the words of its command on as they are.
            let read = name == RunVerb.name ? Tool.arguments.firstIndex(of: "--") : nil
            if let place = Tool.unreadableWord(before: read ?? .max) { throw .usage("argument \(place) is not UTF-8") }
            if name.isEmpty {
                FirstWords.say()
                Tool.end(CommandError.usage("").exitCode)
            }
            guard let verb = VerbTable.verb(name) else { throw .usage(VerbTable.nothingToDo(called: name)) }
            if words == ["-h"] || words.prefix(while: { $0 != "--" }).contains("--help") {
                print(verb.help + VerbExamples.text(of: verb.name))
            } else {
                try verb.run(words)
            }
        } catch {
            Tool.say(error.sentence(name))
            Tool.end(error.exitCode)
        }
        Tool.end(0)
    }
}

/// All verbs, in the order that they are listed in.
enum VerbTable {
    static var all: [any Verb.Type] {
        [
            AddVerb.self, GetVerb.self, ListVerb.self, SearchVerb.self, ShowVerb.self, EditVerb.self, RenameVerb.self,
            RemoveVerb.self, HistoryVerb.self, UndeleteVerb.self, RestoreVersionVerb.self, ForgetVerb.self,
            CopyVerb.self, CodeVerb.self, RunVerb.self, InjectVerb.self, GenerateVerb.self, KeychainsVerb.self,
            GroupsVerb.self, AppsVerb.self, BrowseVerb.self,
            SecretServiceVerb.self, TrustVerb.self, CircleVerb.self, SyncVerb.self,
            BackupVerb.self, RestoreVerb.self, SnapshotsVerb.self, ImportVerb.self, ExportVerb.self,
            DumpVerb.self, CheckVerb.self, RepairVerb.self, DoctorVerb.self, ReportVerb.self,
            CompletionVerb.self,
            StatusVerb.self, UnlockVerb.self, LockVerb.self, SettingsVerb.self, PasscodeVerb.self, RotateKeysVerb.self,
            RecoveryVerb.self, CompactVerb.self, EraseVerb.self, AuditVerb.self, PromptAgentVerb.self,
            SSHAddVerb.self,
            SignVerb.self, VerifyVerb.self, SignKeyVerb.self, HelpVerb.self, VersionVerb.self,
        ]
    }

    /// Verbs that other programs call.
    static var hidden: [any Verb.Type] {
        [ClipboardKeeperVerb.self, CompletedVerbNames.self, ManualVerb.self, KeyringVerb.self]
    }

    /// The message for an unknown verb.
    static func nothing(called name: String) -> String {
        let near = elsewhere[name].map { "; did you mean \($0)?" }
        return "unknown verb: \(PlainText.shown(name))\(near ?? Suggestion.question(name, among: all.map { $0.name }))"
    }

    /// The same where an item may be meant, which other tools print when it is all that they are given.
    static func nothingToDo(called name: String) -> String {
        let text = nothing(called: name)
        guard !text.contains("did you mean"), !name.hasPrefix("-"), PlainText.shown(name).hasSameBytes(as: name) else {
            return text
        }
        return text + "; `llavero get \(ShellWord.quoted(name))` prints an item of that name"
    }

    /// What other password tools call what a verb does.
    private static let elsewhere = [
        "ls": "list", "dir": "list", "items": "list", "find": "search", "grep": "search", "lookup": "search",
        "insert": "add", "new": "add", "create": "add", "store": "add", "save": "add", "init": "add",
        "set": "add or edit", "put": "add or edit", "update": "edit", "change": "edit", "passwd": "passcode",
        "rm": "remove", "delete": "remove", "del": "remove", "mv": "rename", "move": "rename",
        "read": "get", "cat": "get", "print": "get", "password": "get", "pass": "get", "clip": "copy",
        "cp": "copy, to the clipboard, or add",
        "-c": "copy", "--clip": "copy",
        "otp": "code", "totp": "code", "exec": "run", "env": "run", "template": "inject", "log": "history",
        "undo": "undelete", "git": "history or circle", "config": "settings", "login": "unlock", "signin": "unlock",
        "open": "unlock", "close": "lock", "logout": "lock", "signout": "lock", "vault": "keychains",
        "vaults": "keychains",
    ]

    static func verb(_ name: String) -> (any Verb.Type)? {
        switch name {
        case "--help", "-h": HelpVerb.self
        case "--version": VersionVerb.self
        default: (all + hidden).first { $0.name == name }
        }
    }
}

extension CommandError {
    /// The item or keychain does not exist.
    static func notFound(_ text: String) -> CommandError { said(.itemNotFound, text) }

    /// The item or keychain exists already.
    static func duplicate(_ text: String) -> CommandError { said(.duplicateItem, text) }

    /// A person is needed, and no prompt is possible.
    static func needsPerson(_ text: String) -> CommandError { said(.interactionNotAllowed, text) }

    private static func said(_ reason: KeychainError.Reason, _ text: String) -> CommandError {
        .keychain(KeychainError(relaying: reason, text, subject: nil, code: nil, retryAfter: nil))
    }

    /// The message for a verb's failure; a usage error refers to its help.
    func sentence(_ verb: String) -> String {
        guard case .usage(let text) = self, VerbTable.verb(verb) != nil else { return description }
        return "\(text); `llavero help \(verb)` explains it"
    }

    /// The exit codes of `llavero`: for three failures the numbers that `security` has.
    var exitCode: Int32 {
        guard case .keychain(let error) = self else { return code }
        if [.itemNotFound, .noSuchKeychain, .vanishedKeychain].contains(error.reason) { return 44 }
        if error.reason == .duplicateItem || error.reason == .duplicateKeychain { return 45 }
        return error.reason == .interactionNotAllowed ? 36 : code
    }
}

extension PersonalAnswer {
    /// Goes on only where a person at the terminal types yes to `text`, which says what would be done; `others` names other ways.
    static func requireYes(_ text: String, to purpose: String, otherwise others: String) throws(CommandError) {
        guard Screen.complaints.isTerminal, Screen.hasInput else { throw .needsPerson("\(text); \(others)") }
        try requireAllowed(otherwise: others)
        Tool.say("\(text); type yes to \(purpose)")
        var answer = readLine()?.lowercased()
        if answer == "y" {
            Tool.say("the whole word yes is asked for")
            answer = readLine()?.lowercased()
        }
        guard answer == "yes" else { throw .failure("nothing was changed") }
    }
}
