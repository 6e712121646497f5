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

/// A keychain that a credential of the machine's unlocks.
@Suite struct MachineUnlockTests {
    @Test("what a delay kept from being tried is tried once, by the first call after it")
    func delayed() throws {
        let folder = try TestFolder()
        let passcode = try #require(KeychainScene.passcode)
        let time = ForkSafeMutex<UInt64>(1000)
        let answers = ForkSafeMutex<[MachineUnlock.Outcome]>([])
        func served(_ body: (SocketSession) throws -> Void) throws {
            let keychains = UserKeychains { (_, address) throws(KeychainError) in
                try Place(address, beside: .folder(root: folder.path, name: "login"))
            } _: { (_, place, makesIt) throws(KeychainError) in
                let host = try DaemonHost.takeOver(place, .none, makesItself: makesIt)
                let machine = MachineUnlock {
                    let answer = answers.withLock { $0.isEmpty ? .failed : $0.removeFirst() }
                    if case .unlocked = answer { try? host.engine().unlock(with: passcode, .own) }
                    return answer
                }
                return UserKeychain(host, audit: nil, machine: machine, clock: { time.withLock { $0 } })
            }
            defer { for (_, keychain) in keychains.opened { keychain.end() } }
            let daemon = try ServedDaemon(keychains) {
                Caller(groups: [.open], seesEveryGroup: false, administersKeys: true, program: nil)
            }
            try body(daemon.client())
        }
        try served { client in
            try client.add("one")
            try client.ask(.setPasscode(passcode, erasingAfter: 0))
        }
        answers.withLock { $0 = [.delayed(seconds: 60), .delayed(seconds: 30), .unlocked, .failed] }
        try served { client in
            #expect(throws: KeychainError.self) { try client.count("one") }
            time.withLock { $0 += 60 }
            #expect(throws: KeychainError.self) { try client.count("one") }
            // Two delays are waited for, each to its end.
            for later in [1, 30] {
                time.withLock { $0 += UInt64(later) }
                #expect(throws: KeychainError.self) { try client.count("one") }
            }
            time.withLock { $0 += 1 }
            #expect(try client.count("one") == 1)
            // A person's lock stays.
            try client.ask(.lock)
            time.withLock { $0 += 1000 }
            #expect(throws: KeychainError.self) { try client.count("one") }
            #expect(answers.withLock { $0.count } == 1)
        }
    }
}
