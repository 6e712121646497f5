// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import KeychainModel
import KeychainSystem
import TestPrompts

/// What came of a question, to be compared in a test.
enum Asked: Equatable, Sendable {
    case answer(String)
    case cancelled
    case timedOut
    case notAvailable
    case failed
    case failedWith(code: Int32)

    init(_ prompt: some SecretPrompt, _ question: SecretQuestion) {
        do throws(PromptError) {
            let secret = try prompt.ask(question)
            self = .answer(secret.withUnsafeBytes { String(decoding: $0, as: UTF8.self) })
        } catch { self.init(error) }
    }

    init(_ error: PromptError) {
        self =
            switch error {
            case .cancelled: .cancelled
            case .timedOut: .timedOut
            case .notAvailable: .notAvailable
            case .failed(_, code: 0): .failed
            case .failed(_, let code): .failedWith(code: code)
            }
    }

    /// Asks on a thread of its own, while the test does what a person would.
    static func later(_ prompt: some SecretPrompt, _ question: SecretQuestion) -> Errand<Asked> {
        Errand { Asked(prompt, question) }
    }
}

extension SecretQuestion {
    /// A question of a test; whatever is the matter with it is said.
    static func test(
        description: String = "Description", prompt: String = "Passcode:", error: String? = nil,
        confirms: Bool = false, timeout: UInt32 = 3600, _ cancellation: Cancellation = Cancellation()
    ) -> SecretQuestion {
        SecretQuestion(
            title: "Llavero", description: description, prompt: prompt, error: error, confirms: confirms,
            timeout: timeout, cancellation: cancellation)
    }
}

extension PromptEnvironment {
    /// One with nothing in it but this terminal.
    static func on(_ terminal: PseudoTerminal, _ more: [String: String] = [:]) -> PromptEnvironment {
        PromptEnvironment(
            variables: ["TERM": "xterm", "LANG": "C.UTF-8"].merging(more) { $1 }, isPrivileged: false,
            terminal: terminal.path)
    }

    /// One of a desktop without a terminal; nobody looks whether the display is there.
    static func desktop(_ more: [String: String] = [:], isPrivileged: Bool = false) -> PromptEnvironment {
        PromptEnvironment(
            variables: ["DISPLAY": ":99"].merging(more) { $1 }, isPrivileged: isPrivileged, terminal: "/nowhere")
    }
}
