// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Testing

/// What a person is told.
@Suite struct PromptTextTests {
    @Test("the query's prompt comes first, then the context's reason, then nothing but who asks")
    func precedence() throws {
        let keychain = try AccessKeychain()
        keychain.use {
            let typed = Password("typed")
            let touched = Password("touched")
            #expect(typed.add(.devicePasscode) == errSecSuccess)
            #expect(touched.add(.biometryAny) == errSecSuccess)
            func context() -> LAContext {
                let context = LAContext()
                context.localizedReason = "the context's reason"
                return context
            }
            let prompt: Password.Terms = [kSecUseOperationPrompt: "the query's prompt"]
            let terms: [(Password.Terms, String)] = [
                ([kSecUseAuthenticationContext: context()], "the context's reason"),
                (prompt, "the query's prompt"),
                (prompt.merging([kSecUseAuthenticationContext: context()]) { $1 }, "the query's prompt"),
            ]
            for (terms, text) in terms {
                // A context of its own each: what was shown to one is not asked for again.
                #expect(typed.find(terms) == typed.found)
                #expect(keychain.person.asked.last == .passcode(text))
                #expect(touched.find(terms) == touched.found)
                #expect(keychain.person.asked.last == .finger(text))
            }
            #expect(typed.find() == typed.found)
            #expect(keychain.person.asked.last == .passcode())
            // Who asks is said before, whatever the program says.
            #expect(Set(keychain.person.askers).count == 1 && keychain.person.askers[0].contains("wants"))
        }
    }

    @Test("each of the four functions passes the prompt on")
    func functions() throws {
        let keychain = try AccessKeychain()
        try keychain.use {
            let password = Password("of its own")
            #expect(
                password.add(.applicationPassword, [kSecUseOperationPrompt: "to add"]) == errSecSuccess)
            #expect(password.find([kSecUseOperationPrompt: "to find"]) == password.found)
            #expect(password.update([kSecAttrLabel: "x"], [kSecUseOperationPrompt: "to update"]) == errSecSuccess)
            let control = try SecAccessControl.demanding(.devicePasscode)
            SecAccessControlAddConstraintForOperation(
                control, "delete" as CFString,
                try #require(SecAccessControlGetConstraint(control, "decrypt" as CFString)), nil)
            let guarded = Password("guarded")
            #expect(guarded.add(control) == errSecSuccess)
            #expect(guarded.delete([kSecUseOperationPrompt: "to delete"]) == errSecSuccess)
            #expect(
                keychain.person.asked == [
                    .password("to add", isNew: true), .password("to find"), .password("to update"),
                    .passcode("to delete"),
                ])
        }
    }

    @Test("what was wrong with an answer stands beside the next question, and not beside the one after")
    func complaints() throws {
        let keychain = try AccessKeychain()
        keychain.use {
            let typed = Password("typed")
            let own = Password("of its own")
            #expect(typed.add(.devicePasscode) == errSecSuccess)
            #expect(
                own.add(.applicationPassword, [kSecUseAuthenticationContext: LAContext(password: Person.password)])
                    == errSecSuccess)
            for item in [typed, own] {
                let before = keychain.person.asked.count
                keychain.person.behave(.wrong(times: 2))
                #expect(item.find([kSecUseOperationPrompt: "to test"]) == item.found)
                #expect(item.find([kSecUseOperationPrompt: "to test"]) == item.found)
                let complaints = keychain.person.asked[before...].map(\.complaint)
                #expect(complaints.count == 4 && complaints[0] == nil && complaints[3] == nil)
                #expect(complaints[1] != nil && complaints[1] == complaints[2])
            }
        }
    }

    @Test("the words on the button that refuses reach the prompt; the others are kept")
    func buttons() throws {
        let keychain = try AccessKeychain()
        keychain.use {
            let context = LAContext()
            #expect(context.localizedFallbackTitle == nil && context.localizedCancelTitle == nil)
            #expect(context.localizedReason.isEmpty)
            context.localizedFallbackTitle = "Type instead"
            context.localizedCancelTitle = "Leave"
            #expect(context.localizedFallbackTitle == "Type instead" && context.localizedCancelTitle == "Leave")
            let typed = Password("typed")
            #expect(typed.add(.devicePasscode) == errSecSuccess)
            #expect(typed.find() == typed.found)
            #expect(typed.find(context) == typed.found)
            #expect(keychain.person.cancelTitles == [nil, "Leave"])
        }
    }
}
