// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import Security
import TestProcesses
import Testing

@Suite struct EnclaveForkTests {
    @Test("a forked child uses the key, unless its enclave was in the parent's memory", arguments: Ground.all)
    func forked(ground: Ground) async {
        // In a process of its own: the threads of this one may hold any lock while it forks.
        await #expect(processExitsWith: .success) { [ground] in
            let scene = try Scene(ground)
            let stored = try scene.use { try Keys.inEnclave() }
            let keys = [stored, try scene.use { try Keys.inEnclave([kSecAttrIsPermanent: false]) }]
            guard try keys.allSatisfy(Keys.signs) else { exit(2) }
            let child = llt_fork()
            // Nothing is taken down in the child: the folder and the TPM are the parent's.
            if child == 0 { _exit(ground == .memory ? Self.findsNothing(keys) : Self.uses(keys, in: scene)) }
            var status: Int32 = 0
            guard llt_wait(child, EventLimit.milliseconds, &status) else {
                kill(child, SIGKILL)
                exit(5)
            }
            guard llt_exit_code(status) == 0 else { exit(llt_exit_code(status)) }
            guard try keys.allSatisfy(Keys.signs) else { exit(6) }
            // What the child has made is there for both.
            guard scene.use({ Items.countKeys() }) == (ground == .memory ? 1 : 2) else { exit(7) }
        }
    }

    private static func uses(_ keys: [SecKey], in scene: Scene) -> Int32 {
        guard (try? keys.allSatisfy(Keys.signs)) == true else { return 11 }
        let found = scene.use { Items.key([kSecAttrTokenID: kSecAttrTokenIDSecureEnclave]) }
        guard found == keys[0] else { return 12 }
        return (try? scene.use { try Keys.signs(Keys.inEnclave()) }) == true ? 0 : 13
    }

    /// The child's keychain is a new one, with no item and with another enclave.
    private static func findsNothing(_ keys: [SecKey]) -> Int32 {
        let statuses = keys.map { Refusal.ofSigning(with: $0)?.status }
        return statuses == [errSecItemNotFound, errSecNotAvailable] ? 0 : 21
    }
}
