// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Glibc
import LocalAuthentication
import Security
import TestProcesses
import Testing

@Suite struct ForkedContextTests {
    private static let items = [Password("under the passcode"), Password("under a password"), Password("plain")]

    @Test("a context belongs to the process it was made in: a forked child has nothing of what was shown to it")
    func fork() async {
        // In a process of its own: the threads of this one may hold any lock while it forks.
        await #expect(processExitsWith: .success) {
            let keychain = try AccessKeychain(Person(.isAway))
            let context = keychain.use { LAContext(passcode: Passcodes.first, password: Person.password) }
            let added = keychain.use {
                [
                    Self.items[0].add(.devicePasscode),
                    Self.items[1].add(.applicationPassword, [kSecUseAuthenticationContext: context]),
                    Self.items[2].add(nil),
                ]
            }
            guard added == [0, 0, 0], Self.finds(context, in: keychain) == [true, true, true] else { exit(2) }
            let child = llt_fork()
            // Nothing is taken down in the child: the folder is the parent's.
            if child == 0 { _exit(Self.inherits(context, in: keychain)) }
            var status: Int32 = 0
            guard llt_wait(child, EventLimit.milliseconds, &status) else {
                kill(child, SIGKILL)
                exit(3)
            }
            guard llt_exit_code(status) == 0 else { exit(llt_exit_code(status)) }
            guard Self.finds(context, in: keychain) == [true, true, true] else { exit(4) }
        }
    }

    private static func finds(_ context: LAContext, in keychain: AccessKeychain) -> [Bool] {
        keychain.use { items.map { $0.find(context) == $0.found } }
    }

    /// 0 where the child has the keychain, and nothing of the context.
    private static func inherits(_ context: LAContext, in keychain: AccessKeychain) -> Int32 {
        // One that was locked would say nothing about contexts.
        guard (try? keychain.unlock(Passcodes.first)) != nil else { return 11 }
        guard finds(context, in: keychain) == [false, false, true] else { return 12 }
        return context.isCredentialSet(.passcode) || context.isCredentialSet(.applicationPassword) ? 13 : 0
    }
}
