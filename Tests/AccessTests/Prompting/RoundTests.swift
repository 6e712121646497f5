// SPDX-License-Identifier: Apache-2.0

import LocalAuthentication
import Security
import Testing

/// How often somebody is asked.
@Suite struct RoundTests {
    private static let item = Password("an item")

    private static func keychain(_ flags: SecAccessControlCreateFlags) throws -> AccessKeychain {
        let keychain = try AccessKeychain()
        keychain.use {
            let given: Password.Terms = [kSecUseAuthenticationContext: LAContext(password: Person.password)]
            #expect(item.add(flags, given) == errSecSuccess)
        }
        return keychain
    }

    @Test("a password that is always wrong ends after twenty questions at most, and the next request begins anew")
    func password() throws {
        let keychain = try Self.keychain(.applicationPassword)
        keychain.use {
            for _ in 0..<2 {
                let before = keychain.person.asked.count
                keychain.person.behave(.wrong)
                #expect(Self.item.find() == .nothing(errSecAuthFailed))
                let questions = keychain.person.asked.count - before
                #expect(questions > 2 && questions <= 20)
            }
            keychain.person.behave(.wrong(times: 3))
            #expect(Self.item.find() == Self.item.found)
        }
    }

    @Test("a passcode that is always wrong ends when the enclave takes no more, which says when it will")
    func passcode() throws {
        let keychain = try Self.keychain(.devicePasscode)
        keychain.person.behave(.wrong)
        keychain.use { #expect(Self.item.find() == .nothing(errSecAuthFailed)) }
        #expect((5...6).contains(keychain.person.asked.count))
        // The right one has to wait too.
        keychain.person.behave(.right)
        keychain.use {
            #expect(Self.item.find() == .nothing(errSecAuthFailed))
            #expect(Self.item.find(LAContext(passcode: Passcodes.first)) == .nothing(errSecAuthFailed))
        }
        keychain.advanceClock(by: 7200)
        keychain.use { #expect(Self.item.find() == Self.item.found) }
    }

    @Test("a wrong passcode and then the right one is two questions, and no attempt counts any more")
    func slip() throws {
        let keychain = try Self.keychain(.devicePasscode)
        for _ in 0..<4 {
            keychain.person.behave(.wrong(times: 3))
            #expect(keychain.use { Self.item.find() } == Self.item.found)
            let status = try keychain.use { try Llavero.keybag.status() }
            #expect(status.failedAttempts == 0)
        }
        #expect(keychain.person.asked.count == 16)
    }

    @Test("an unknown finger is shown once, and what is typed then is enough where it is a way")
    func finger() throws {
        let rows: [(flags: SecAccessControlCreateFlags, typingIsAWay: Bool)] = [
            (.biometryAny, false), (.biometryCurrentSet, false), (.userPresence, true),
            ([.biometryAny, .devicePasscode, .or], true), ([.biometryCurrentSet, .devicePasscode, .or], true),
            ([.biometryAny, .devicePasscode, .and], false),
        ]
        for (flags, typingIsAWay) in rows {
            let keychain = try Self.keychain(flags)
            keychain.person.behave(.right, fingers: .wrong)
            let expected = typingIsAWay ? Self.item.found : .nothing(errSecAuthFailed)
            #expect(keychain.use { Self.item.find() } == expected, "\(flags.rawValue)")
            #expect(keychain.person.asked.count == (typingIsAWay ? 2 : 1), "\(flags.rawValue)")
        }
    }

    @Test("the twentieth answer counts")
    func twentieth() throws {
        let keychain = try Self.keychain(.applicationPassword)
        keychain.person.behave(.wrong(times: 19))
        #expect(keychain.use { Self.item.find() } == Self.item.found)
        #expect(keychain.person.asked.count == 20)
    }

    @Test("who has no finger to show is asked for one once, and is told of a wrong passcode")
    func complaint() throws {
        let keychain = try Self.keychain(.userPresence)
        keychain.person.behave(.wrong(times: 1), fingers: .wrong)
        #expect(keychain.use { Self.item.find() } == Self.item.found)
        #expect(keychain.person.asked.map(\.kind) == ["finger", "passcode", "passcode"])
        #expect(keychain.person.asked.last?.complaint != nil)
    }
}
