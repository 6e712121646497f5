// SPDX-License-Identifier: Apache-2.0

import KeychainRequest
import KeychainSync
import TestSeed
import Testing

/// Rounds of a few devices and an honest server.
@Suite("rounds") struct RoundTests {
    private typealias Name = ModelKeychain.Name

    @Test("what one device adds, updates and deletes, another has, under its own reference")
    func addUpdateDelete() throws {
        let circle = try SimulatedCircle(2, Seed(for: "addUpdateDelete"))
        let (a, b) = (circle[0], circle[1])
        let name = Name(group: "a.one", account: "me")
        a.keychain.set(name, to: [1], now: circle.now)
        try circle.settle()
        #expect(b.keychain.live == [name: [1]])
        let reference = b.keychain.entries[name]?.reference

        circle.now += 10
        a.keychain.set(name, to: [2], now: circle.now)
        try circle.settle()
        #expect(b.keychain.live == [name: [2]])
        #expect(b.keychain.entries[name]?.reference == reference)

        circle.now += 10
        b.keychain.set(name, to: nil, now: circle.now)
        try circle.settle()
        #expect(a.keychain.live.isEmpty)
    }
}
