// SPDX-License-Identifier: Apache-2.0

import CLinux
import Foundation
import KeychainAuthentication
import KeychainModel
import KeychainSystem

/// What tests of prompts run in a process and a session of its own.
@main
enum PromptHelper {
    static func main() {
        let words = CommandLine.arguments
        let outcome: String
        switch words.dropFirst().first {
        case "ask": outcome = ask(words.dropFirst(2).first ?? "")
        case "leaks": outcome = LeakScene.run()
        case "lose-foreground": exit(ForegroundScene.run())
        case "fork": outcome = ForkScene.run()
        default: outcome = "what?"
        }
        // Not on stdout, which is the terminal.
        if let path = ProcessInfo.processInfo.environment["OUTCOME"] {
            try? outcome.write(toFile: path, atomically: true, encoding: .utf8)
        }
        exit(0)
    }

    /// Asks as a program of a person's would, and says what came of it.
    private static func ask(_ expected: String) -> String {
        let environment = ProcessInfo.processInfo.environment
        // What a program that wants to clean up does; one that does not ends here, as it should.
        if environment["SURVIVES"] != nil { signal(SIGINT, SIG_IGN) }
        if environment["WAITS"] != nil { ForegroundScene.waitForForeground() }
        let prompt = SystemPrompt(
            PromptEnvironment(variables: environment, isPrivileged: llv_is_secure_execution()))
        return Outcome.of(prompt, question(timeout: UInt32(environment["TIMEOUT"] ?? "") ?? 3600), expected)
    }

    static func question(timeout: UInt32 = 3600, _ cancellation: Cancellation = .init()) -> SecretQuestion {
        SecretQuestion(
            title: "Llavero", description: "A description", prompt: "Passcode:", timeout: timeout,
            cancellation: cancellation)
    }
}

/// In one word what came of a question.
enum Outcome {
    static func of(_ prompt: some SecretPrompt, _ question: SecretQuestion, _ expected: String) -> String {
        do throws(PromptError) {
            let secret = try prompt.ask(question)
            return secret.withUnsafeBytes { Array($0) == Array(expected.utf8) } ? "right" : "wrong"
        } catch {
            return switch error {
            case .cancelled: "cancelled"
            case .timedOut: "timed out"
            case .notAvailable(let cause): "not available: \(cause)"
            case .failed(let cause, let code): "failed: \(cause) \(code)"
            }
        }
    }
}
