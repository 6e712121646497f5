// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainDaemon
internal import KeychainEngine
import KeychainModel
import KeychainRequest
import KeychainSystem
import KeychainTransport
import TestDaemon
import TestProcesses
import Testing

/// A keychain that cannot be opened, and then can.
@Suite struct FailingKeychainTests {
    @Test("a call that fails opens it once, the next tries again, and what is open is not opened again")
    func once() throws {
        let folder = try TestFolder()
        let tries = ForkSafeMutex(0)
        let isBroken = ForkSafeMutex(true)
        let keychains = UserKeychains { (_, address) throws(KeychainError) in
            try Place(address, beside: .folder(root: folder.path, name: "login"))
        } _: { (_, place, makesIt) throws(KeychainError) in
            tries.withLock { $0 += 1 }
            if isBroken.withLock({ $0 }) { throw KeychainError(.inputOutput, "the disk is away") }
            return UserKeychain(try DaemonHost.takeOver(place, .none, makesItself: makesIt), audit: nil)
        }
        defer { for (_, keychain) in keychains.opened { keychain.end() } }
        let daemon = try ServedDaemon(keychains) {
            Caller(groups: [.open], seesEveryGroup: false, administersKeys: true, program: nil)
        }
        let client = daemon.client()
        for number in 1...3 {
            let failure = #expect(throws: KeychainError.self) { try client.count("one") }
            #expect(failure?.reason == .inputOutput)
            #expect(tries.withLock { $0 } == number)
        }
        isBroken.withLock { $0 = false }
        for _ in 0..<3 { #expect(try client.count("one") == 0) }
        #expect(tries.withLock { $0 } == 4)
        // Another connection has the same.
        #expect(try daemon.client().count("one") == 0)
        #expect(tries.withLock { $0 } == 4)
    }
}
