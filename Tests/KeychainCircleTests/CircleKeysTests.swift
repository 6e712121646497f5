// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import KeychainConnection
import KeychainCrypto
import KeychainModel
import KeychainRequest
import KeychainSync
import Testing

/// The keys of a circle that a keychain keeps, and what somebody put beside them.
@Suite struct CircleKeysTests {
    private let keychain: TestKeychain
    private let session: any KeychainSession
    private let own: DeviceKeys
    private let log: CircleLog
    private let view: SyncView
    private let key: ViewKey

    private static func secret(_ byte: UInt8) -> SecretBytes { SecretBytes(count: ViewKey.size) { $0[0] = byte } }

    init() throws {
        keychain = try TestKeychain()
        session = try keychain.host.session(for: CircleItems.caller)
        own = try DeviceKeys.make(in: session, of: .software)
        view = try #require(SyncView([UInt8](repeating: 7, count: SyncView.size)))
        var log = try CircleLog.found(
            by: own, named: [1], commitment: [UInt8](repeating: 1, count: ViewKey.commitmentSize), now: 1000,
            chance: [UInt8](repeating: 1, count: Founding.chanceSize)
        ).log
        key = try ViewKey(circle: log.circle, view: view, secret: CircleKeysTests.secret(1))
        let made = LogAction.view(view, sealedPolicy: [2], commitment: try key.commitment())
        _ = try log.take([log.body(made, by: own, now: 1000)])
        self.log = log
    }

    @Test("what the log has no commitment to is kept, and counts for nothing")
    func planted() throws {
        let foreign = try ViewKey(circle: log.circle, view: view, secret: CircleKeysTests.secret(2))
        let later = try foreign.next(secret: CircleKeysTests.secret(3))
        try LocalCircle.begin(CircleState(device: own.card.id(), log: log), [key, later], in: session)
        var circle = try #require(try LocalCircle.open(in: session))
        #expect(circle.keys.generations(of: view) == [1] && circle.kept.generations(of: view) == [1, 2])
        #expect(circle.canHandOn(view))
        try CircleKeys(of: log.circle, in: session).keep(foreign)
        circle = try #require(try LocalCircle.open(in: session))
        #expect(circle.keys.generations(of: view) == [] && !circle.canHandOn(view))
        try CircleKeys(of: log.circle, in: session).keep(key)
        circle = try #require(try LocalCircle.open(in: session))
        #expect(circle.keys.generations(of: view) == [1] && circle.canHandOn(view))
    }

    @Test("a key takes the place of what lies under its names, and the protection is its own")
    func inPlace() throws {
        let (items, keys) = (CircleItems(session), CircleKeys(of: log.circle, in: session))
        try keys.keep(key)
        let second = try #require(try items.names(.whenUnlocked).first { $0.hasSuffix(":1:second") })
        for removesFirst in [false, true] {
            try items.remove(second)
            if removesFirst { try items.remove(second.replacing(":second", with: ":first")) }
            let planted = SecretValue(copying: [UInt8](repeating: 9, count: ViewKey.size))
            try items.keep(planted, as: second, .afterFirstUnlock)
            if !removesFirst { #expect(throws: KeychainError.self) { try keys.ring() } }
            let another = try ViewKey(
                circle: log.circle, view: view, secret: CircleKeysTests.secret(removesFirst ? 4 : 5))
            try keys.keep(another)
            #expect(try !items.names(.afterFirstUnlock).contains(second))
            let kept = try #require(try keys.ring().key(of: view, generation: 1))
            #expect(try kept.commitment() == another.commitment())
        }
    }
}
