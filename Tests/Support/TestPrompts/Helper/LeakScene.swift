// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainAuthentication
import KeychainSystem

/// Asks many times with every kind of ending, and then looks for what is left: descriptors, and processes.
enum LeakScene {
    static func run() -> String {
        let environment = ProcessInfo.processInfo.environment
        let programs = (environment["PROGRAMS"] ?? "").split(separator: ":").map(String.init)
        let available = PromptEnvironment(variables: ["DISPLAY": ":none"], isPrivileged: false)
        func ask() {
            for program in programs {
                let cancellation = Cancellation()
                let prompt = PinentryPrompt(program: program, available, setupTime: 60)
                if program.hasSuffix("silent") {
                    Thread.detachNewThread {
                        usleep(10_000)
                        cancellation.trip()
                    }
                }
                _ = Outcome.of(prompt, PromptHelper.question(cancellation), "x")
            }
        }
        ask()
        let before = descriptors()
        for _ in 0..<5 { ask() }
        let after = descriptors()
        var status: Int32 = 0
        // No child is there, ended or not.
        let isChildless = waitpid(-1, &status, WNOHANG) < 0 && errno == ECHILD
        return before == after && isChildless ? "clean" : "descriptors \(before) \(after), childless \(isChildless)"
    }

    private static func descriptors() -> [String] {
        (0..<200).filter { fcntl($0, F_GETFD) >= 0 }.map { "\($0)" }
    }
}
