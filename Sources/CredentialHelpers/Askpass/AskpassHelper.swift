// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainConnection
internal import KeychainModel
internal import KeychainTools

/// `llavero-askpass`: what ssh (SSH_ASKPASS), git (GIT_ASKPASS) and sudo (SUDO_ASKPASS) call with a question.
///
/// It answers out of the keychain, and has the person asked for what is not there.
enum AskpassHelper {
    static func main(_ words: ArraySlice<String>) -> Int32 {
        do throws(CommandError) {
            guard let text = words.first, words.count == 1 else { throw .failure(usage) }
            if text == "--help" || text == "-h" {
                print(usage)
                return 0
            }
            // A notice to be shown, and a question for yes and no, as ssh marks them.
            if let kind = Environment.current()["SSH_ASKPASS_PROMPT"] { throw .failure(refusal(kind)) }
            try answer(text)
            return 0
        } catch {
            CredentialHelper.complain(error)
            return 1
        }
    }

    private static func answer(_ text: String) throws(CommandError) {
        let prompt = AskpassPrompt(text)
        if prompt == .confirmation { throw .failure(refusal("confirm")) }
        var found: SecretValue?
        do throws(CommandError) { found = try stored(for: prompt) } catch {
            // The person may know what the keychain does not say now.
            CredentialHelper.complain(error)
        }
        if let found, found.count > 0 {
            guard unsafe !found.withUnsafeBytes({ unsafe $0.contains(0x0A) || $0.contains(0) }) else {
                throw .failure("what the keychain has for this has lines or a NUL, which no answer can have")
            }
            return try SecretOutput.write(found, to: STDOUT_FILENO, ending: "\n")
        }
        let typed = try SecretInput.ask(
            text, prompt: "Answer:", confirms: false, otherwise: "the keychain has no item for it\(advice(prompt))")
        try SecretOutput.write(typed, to: STDOUT_FILENO, ending: "\n")
    }

    private static func stored(for prompt: AskpassPrompt) throws(CommandError) -> SecretValue? {
        let keychain = try ToolKeychain()
        switch prompt {
        case .secret(let name): return try keychain.genericPassword(named: name)
        case .gitUsername(let origin):
            return try credential(keychain, origin, nil).map { SecretValue(text: $0.account) }
        case .gitPassword(let origin, let account): return try credential(keychain, origin, account)?.secret.password
        case .confirmation, .other: return nil
        }
    }

    private static func credential(
        _ keychain: ToolKeychain, _ origin: GitOrigin, _ account: String?
    ) throws(CommandError) -> GitKeychain.Answer? {
        let now = UInt64(max(0, time(nil)))
        let answer = try GitKeychain(keychain, now: now).credential(for: origin, account: account)
        return answer.flatMap { $0.isExpired ? nil : $0 }
    }

    private static func advice(_ prompt: AskpassPrompt) -> String {
        if case .secret(let name) = prompt { "; `llavero add \"\(name)\"` makes one" } else { "" }
    }

    private static func refusal(_ kind: String) -> String {
        kind == "none" ? "there is nobody to show a notice to" : "only a person may answer this, at a terminal"
    }

    private static let usage = """
        usage: llavero-askpass QUESTION; ssh, git and sudo call it when SSH_ASKPASS, GIT_ASKPASS or SUDO_ASKPASS names it
        """
}
