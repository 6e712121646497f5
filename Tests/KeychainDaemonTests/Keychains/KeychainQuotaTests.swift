// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
import KeychainDaemon
import KeychainModel
import KeychainRequest
import KeychainTransport
import TestDaemon
import Testing

/// How much one user may keep with a daemon that is not the user's own.
@Suite struct KeychainQuotaTests {
    @Test(
        "no more keychains are made than the administrator allows; those that are there open, and one that goes makes room"
    )
    func keychains() throws {
        let scene = try KeychainScene(isServed: false, quota: KeychainQuota(keychains: 3, bytes: 1 << 30))
        let keychains = scene.served.keychains
        for number in 0..<2 { _ = try keychains.keychain(.named("k\(number)"), of: 1, makesIt: true) }
        _ = try keychains.make(.named("k2"), of: 1, nil)
        for isMade in [true, false] {
            let refusal = #expect(throws: KeychainError.self) {
                if isMade {
                    _ = try keychains.make(.named("k3"), of: 1, nil)
                } else {
                    _ = try keychains.keychain(.named("k3"), of: 1, makesIt: true)
                }
            }
            #expect(refusal?.reason == .notAvailable)
            #expect(refusal?.description.contains("3 keychains") == true)
            #expect(refusal?.text.contains("ask the administrator to raise llaverod's --keychains-per-user") == true)
        }
        #expect(try !scene.served.place("k3").exists)
        _ = try keychains.keychain(.named("k0"), of: 1, makesIt: true)
        try keychains.remove(.named("k1"), of: 1, at: nil)
        _ = try keychains.make(.named("k3"), of: 1, nil)
        #expect(scene.served.open == ["k0", "k2", "k3"])
    }

    @Test("many who make keychains at once make no more than that")
    func atOnce() async throws {
        let scene = try KeychainScene(isServed: false, quota: KeychainQuota(keychains: 3, bytes: 1 << 30))
        let keychains = scene.served.keychains
        let made = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask { (try? keychains.make(.named("k\(number)"), of: 1, nil)) != nil }
            }
            return await group.reduce(into: 0) { if $1 { $0 += 1 } }
        }
        #expect(made == 3)
        #expect(scene.served.open.count == 3)
    }

    @Test(
        "beyond a user's share of the disk nothing is added; what is there is found and deleted, and then there is room"
    )
    func disk() throws {
        let scene = try KeychainScene(quota: KeychainQuota(keychains: 64, bytes: 32 << 20))
        _ = try scene.served.keychains.make(.named("one"), of: 0, nil)
        let client = try scene.served.client("one")
        let secret = [UInt8](repeating: 7, count: 2 << 20)
        var refusal: KeychainError?
        var added = 0
        while refusal == nil, added < 20 {
            do throws(KeychainError) {
                try client.add("large\(added)", secret: secret)
                added += 1
            } catch { refusal = error }
        }
        #expect((3..<16).contains(added))
        #expect(refusal?.reason == .notAvailable)
        #expect(refusal?.description.contains("32 MiB") == true)
        #expect(refusal?.text.contains("ask the administrator to raise llaverod's --disk-per-user") == true)
        #expect(try client.count("large0") == 1)
        // Another keychain would take more of it.
        #expect(throws: KeychainError.self) { try scene.served.keychains.make(.named("two"), of: 0, nil) }
        for number in 0..<3 { try client.delete("large\(number)") }
        // The file is as large as before; what was deleted is room for what comes.
        try client.add("again", secret: secret)
        #expect(try client.count("again") == 1)
    }
}
