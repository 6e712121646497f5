// SPDX-License-Identifier: Apache-2.0

import KeychainAuthentication
import KeychainSystem
import TestPrompts
import Testing

@Suite struct ScriptedPromptTests {
    @Test("a script answers question by question, and then no more")
    func script() {
        let prompt = ScriptedPrompt([.secret("one"), .cancelled, .timedOut, .notAvailable])
        let expected: [Asked] = [.answer("one"), .cancelled, .timedOut, .notAvailable, .failed]
        for answer in expected { #expect(Asked(prompt, .test(prompt: "Q")) == answer) }
        #expect(prompt.questions.map(\.prompt) == Array(repeating: "Q", count: 5))
    }

    @Test("silence lasts until the question is taken back, or its time is over")
    func silence() throws {
        let (prompt, cancellation) = (ScriptedPrompt([.silence, .silence]), Cancellation())
        let asked = Asked.later(prompt, .test(cancellation))
        cancellation.trip()
        #expect(try asked.result() == .cancelled)
        #expect(Asked(prompt, .test(timeout: 0)) == .timedOut)
    }

    @Test("nobody says why nobody is asked")
    func nobody() {
        #expect(Asked(NoPrompt(), .test()) == .notAvailable)
    }
}
