// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// `llavero-askpass`: what ssh (SSH_ASKPASS), git (GIT_ASKPASS) and sudo (SUDO_ASKPASS) call with a question.
///
/// It answers from the keychain, and asks the person for answers that the keychain does not have. Yes-or-no questions only the
/// person answers.
enum AskpassHelper {
    static func main(_ words: ArraySlice<String>) -> Int32 {
        do throws(CommandError) {
            guard let text = words.first, words.count == 1 else { throw .failure(usage) }
            if text == "--help" || text == "-h" {
                print(usage)
                return 0
            }
            // How ssh marks a yes-or-no question, and a notice.
            switch Environment.current()["SSH_ASKPASS_PROMPT"] {
            case nil: try answer(text)
            case "confirm"?: try confirm(text)
            case "none"?: try PersonalAnswer.show(text)
            case let kind?:
                throw .failure(
                    "SSH_ASKPASS_PROMPT is \(PlainText.shown(kind)), but only confirm and none are supported")
            }
            return 0
        } catch {
            CredentialHelper.complain(error)
            return 1
        }
    }

    private static func answer(_ text: String) throws(CommandError) {
        let prompt = AskpassPrompt(text, folder: workingFolder)
        if prompt == .confirmation { return try choose(text) }
        var (found, note): (SecretValue?, String) = (nil, "")
        var reason = "the keychain has no item for it\(advice(prompt))"
        do throws(CommandError) { found = try stored(for: prompt) } catch {
            // The person may know the answer that the keychain does not give now.
            CredentialHelper.complain(error)
            if case .ambiguous = error {
                reason = "the keychain has several items for it"
            } else {
                reason = "whether the keychain has an item for it cannot be told"
                note = "The keychain cannot answer now.\n"
            }
        }
        guard let found, found.count > 0 else { return try ask(note + text, otherwise: reason) }
        // ssh also cuts an answer at a carriage return.
        let endsLines = unsafe found.withUnsafeBytes { bytes in
            [0x0A, 0x0D, 0].contains { unsafe bytes.contains($0) }
        }
        guard !endsLines else {
            throw .failure(
                "the stored answer has a line feed, a carriage return or a NUL, which an answer cannot have")
        }
        // Only once, since a wrong answer would use up every attempt that the server allows.
        if AskpassPrompt.isRepeated(text) || GivenAnswers.noteAnswer(to: text) {
            return try ask(
                "The stored answer was not accepted.\n\(text)",
                otherwise: "the stored answer was given before and not accepted\(correction(prompt))")
        }
        try SecretOutput.write(found, to: STDOUT_FILENO, ending: "\n")
    }

    private static func ask(_ text: String, otherwise advice: String) throws(CommandError) {
        let typed = try SecretInput.ask(text, prompt: "Answer:", confirms: false, otherwise: advice)
        try SecretOutput.write(typed, to: STDOUT_FILENO, ending: "\n")
    }

    /// A question whose answer is a word: the person's answer is passed on, so that ssh also gets a fingerprint.
    private static func choose(_ text: String) throws(CommandError) {
        print(try PersonalAnswer.ask(AskpassPrompt.trimmed(text), prompt: "", otherwise: refusal) ?? "no")
    }

    /// A question that is answered by the exit status.
    private static func confirm(_ text: String) throws(CommandError) {
        let question = AskpassPrompt.trimmed(text)
        let answer = try PersonalAnswer.ask(question, prompt: "(yes/no)", otherwise: refusal) ?? "no"
        guard ["yes", "y"].contains(answer.lowercased()) else { throw .failure("the person said no") }
        print("yes")
    }

    private static func stored(for prompt: AskpassPrompt) throws(CommandError) -> SecretValue? {
        let keychains = try HelperKeychains()
        switch prompt {
        case .secret(let name):
            for name in AskpassPrompt.names(of: name, home: Environment.current().home) {
                if let secret = try keychains.genericPassword(named: name) { return secret }
            }
            return nil
        case .gitUsername(let origin):
            return try credential(keychains, origin, nil).map { SecretValue(text: $0.account) }
        case .gitPassword(let origin, let account): return try credential(keychains, origin, account)?.secret.password
        case .confirmation, .other: return nil
        }
    }

    private static func credential(
        _ keychains: HelperKeychains, _ origin: GitOrigin, _ account: String?
    ) throws(CommandError) -> GitKeychain.Answer? {
        let now = UInt64(max(0, time(nil)))
        let answer = try GitKeychain(keychains, now: now).credential(for: origin, account: account)
        return answer.flatMap { $0.isExpired ? nil : $0 }
    }

    private static func advice(_ prompt: AskpassPrompt) -> String {
        if case .secret(let name) = prompt { "; `llavero add \(quoted(name))` adds one" } else { "" }
    }

    private static func correction(_ prompt: AskpassPrompt) -> String {
        if case .secret(let name) = prompt { "; `llavero edit \(quoted(name))` corrects it" } else { "" }
    }

    /// For a command that a person may paste: part of the name is what a server or a repository wrote.
    private static func quoted(_ name: String) -> String { ShellWord.quoted(PlainText.shown(name)) }

    /// The folder for relative paths: this program runs in the working directory of ssh.
    private static var workingFolder: String? {
        guard let folder = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(folder) }
        return unsafe String(validatingCString: folder)
    }

    private static let refusal = "only a person may answer this yes-or-no question"

    private static let usage = """
        usage: llavero-askpass QUESTION; ssh, git and sudo call it when SSH_ASKPASS, GIT_ASKPASS or SUDO_ASKPASS names it
        """
}

extension HelperKeychains {
    /// A person's password with the name as its label, or else as its service.
    ///
    /// nil without one, or for a negative item (decision D26). If several have the name, none of them is used: one of them may be
    /// for another place, and a wrong password is no better than an error.
    func genericPassword(named name: String) throws(CommandError) -> SecretValue? {
        for attribute in [Attribute.label, .service] {
            var wanted = AttributeList()
            wanted[attribute] = .string(name)
            let items = try passwords(wanted, of: .genericPassword)
            guard let only = items.first else { continue }
            guard items.allSatisfy({ !$0.isNegative }) else { return nil }
            guard items.count == 1 else { throw HelperKeychains.ambiguity(of: items, name) }
            return try only.secret()
        }
        return nil
    }

    /// Lists the items, and how to rename or remove the others: the question itself cannot select one.
    private static func ambiguity(of items: [PasswordItem], _ name: String) -> CommandError {
        let ways = items.prefix(mostShown).map { item in
            let user = item.account.isEmpty ? "without a user" : "user \(PlainText.shown(item.account))"
            return "\(item.reference.identifier) (\(user))"
        }
        let more = items.count > mostShown ? " and \(items.count - mostShown) more" : ""
        return .ambiguous(
            "\(items.count) items are called \(PlainText.shown(name)), so none is used: "
                + "\(ways.joined(separator: ", "))\(more); `llavero rename id:… NAME` renames one, "
                + "`llavero remove id:…` removes one")
    }

    private static let mostShown = 20
}
