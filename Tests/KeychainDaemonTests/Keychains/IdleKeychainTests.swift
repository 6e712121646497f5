// SPDX-License-Identifier: Apache-2.0

import Glibc
internal import KeychainAudit
internal import KeychainConnection
import KeychainDaemon
internal import KeychainEngine
import KeychainModel
import KeychainRequest
import KeychainTransport
import TestDaemon
import TestProcesses
import Testing

/// Keychains that nobody uses are closed, and nobody notices.
@Suite struct IdleKeychainTests {
    private let idle = UserKeychains.idleSeconds

    @Test("a keychain without use is closed with all its files, and the usual one stays")
    func closed() throws {
        let scene = try KeychainScene(isServed: false)
        try scene.make("build", "login")
        for address in [KeychainAddress.named("build"), .usual] {
            let opened = try scene.served.keychains.keychain(address, of: 1, makesIt: false)
            #expect(try opened.host.check() == [])
        }
        #expect(scene.served.files(of: "build") > 0)
        #expect(scene.served.pass(seconds: idle - 1) == 2)
        #expect(scene.served.open == ["build", "login"])
        #expect(scene.served.pass(seconds: 1) == nil)
        #expect(scene.served.open == ["login"])
        #expect(scene.served.files(of: "build") == 0)
        #expect(scene.served.files(of: "login") > 0)
    }

    @Test("a program that stays connected finds its items and its settings as they were, and the log is whole")
    func again() throws {
        let scene = try KeychainScene()
        try scene.make("build")
        let client = try scene.served.client("build")
        try client.ask(.change(KeychainSettings(locksWithSession: false, timeout: 60)))
        try client.add("one")
        scene.served.pass(seconds: idle)
        #expect(scene.served.open.isEmpty)
        #expect(try client.count("one") == 1)
        #expect(scene.served.open == ["build"])
        #expect(try client.settings() == KeychainSettings(locksWithSession: false, timeout: 60))
        let passcode = try #require(KeychainScene.passcode)
        try client.ask(.setPasscode(passcode, erasingAfter: 0))
        #expect(try client.state() == .unlocked)
        scene.served.pass(seconds: 60)
        #expect(try client.state() == .locked)
        scene.served.pass(seconds: idle)
        #expect(scene.served.open.isEmpty)
        let log = try scene.log(of: "build")
        #expect(log.findings.isEmpty)
        #expect(
            log.operations == [
                .start, .admit, .changeSettings, .add, .stop, .start, .admit, .findSecrets, .setPasscode, .stop,
            ])
    }

    @Test("one that is unlocked stays, until its time locks it")
    func unlocked() throws {
        let scene = try KeychainScene()
        try scene.make("build")
        let client = try scene.served.client("build")
        let passcode = try #require(KeychainScene.passcode)
        try client.add("one")
        try client.ask(.setPasscode(passcode, erasingAfter: 0))
        #expect(scene.served.pass(seconds: 10 * idle) == nil)
        #expect(try client.state() == .unlocked)
        try client.ask(.change(KeychainSettings(locksWithSession: true, timeout: 1000)))
        scene.served.pass(seconds: 999)
        #expect(scene.served.open == ["build"])
        scene.served.pass(seconds: 1)
        #expect(scene.served.open.isEmpty)
        // Wrong passcodes count, and the right one opens it.
        #expect(try client.state() == .beforeFirstUnlock)
        try client.ask(.unlock(passcode))
        #expect(try client.count("one") == 1)
    }

    @Test(
        "one that was unlocked for a time is locked when that is over, however it is used, and without a time it is not"
    )
    func unlockedForATime() throws {
        let scene = try KeychainScene()
        try scene.make("build")
        let client = try scene.served.client("build")
        let passcode = try #require(KeychainScene.passcode)
        try client.add("one")
        try client.ask(.setPasscode(passcode, erasingAfter: 0))
        try client.ask(.unlock(passcode, lockingAfter: 900))
        scene.served.pass(seconds: 500)
        #expect(try client.count("one") == 1)
        scene.served.pass(seconds: 399)
        #expect(try client.state() == .unlocked)
        scene.served.pass(seconds: 1)
        #expect(try client.state() == .locked)
        try client.ask(.unlock(passcode))
        scene.served.pass(seconds: 10 * idle)
        #expect(try client.state() == .unlocked)
        // Locked by hand, the time is over too.
        try client.ask(.unlock(passcode, lockingAfter: 900))
        try client.ask(.lock)
        try client.ask(.unlock(passcode))
        scene.served.pass(seconds: 1000)
        #expect(try client.state() == .unlocked)
    }

    @Test("after the machine slept, whoever comes before the timer finds it locked, and does not put the lock off")
    func slept() throws {
        let scene = try KeychainScene()
        try scene.make("build")
        let client = try scene.served.client("build")
        let passcode = try #require(KeychainScene.passcode)
        try client.add("one")
        try client.ask(.change(KeychainSettings(locksWithSession: false, timeout: 900)))
        try client.ask(.setPasscode(passcode, erasingAfter: 0))
        // Who has such an item is not closed. The daemon's own timer waits for as long as the machine runs; but what was just done
        // wakes it, on a busy machine perhaps later than what follows.
        try client.add("always", .afterFirstUnlock)
        scene.served.clock.advance(by: 28_800)
        #expect(throws: KeychainError.self) { try client.count("one") }
        #expect(try client.state() == .locked)
        try client.ask(.unlock(passcode, lockingAfter: 300))
        #expect(try client.count("one") == 1)
        scene.served.clock.advance(by: 28_800)
        // Asking how it stands is enough.
        #expect(try client.state() == .locked)
        try client.ask(.unlock(passcode))
        #expect(try client.count("one") == 1)
    }

    @Test("one that is locked stays as long as it has items that can be read all the same")
    func locked() throws {
        let scene = try KeychainScene()
        try scene.make("build")
        let client = try scene.served.client("build")
        let passcode = try #require(KeychainScene.passcode)
        try client.ask(.setPasscode(passcode, erasingAfter: 0))
        try client.add("one")
        try client.add("always", .afterFirstUnlock)
        try client.ask(.lock)
        scene.served.pass(seconds: idle)
        #expect(scene.served.open == ["build"])
        #expect(try client.count("always") == 1)
        try client.ask(.unlock(passcode))
        try client.delete("always")
        try client.ask(.lock)
        scene.served.pass(seconds: idle)
        #expect(scene.served.open.isEmpty)
    }

    @Test("one stays as long as a program listens to it, or has shown it something")
    func used() throws {
        let scene = try KeychainScene()
        try scene.make("build")
        let client = try scene.served.client("build")
        let context = AuthenticationContextID.random()
        client.begin(context)
        scene.served.pass(seconds: idle)
        #expect(scene.served.open == ["build"])
        client.invalidate(context)
        var feed: ChangeFeed? = try client.changes()
        scene.served.pass(seconds: idle)
        #expect(scene.served.open == ["build"])
        try scene.served.client("build").add("heard")
        #expect(feed?.next()?.events.count == 1)
        feed?.end()
        feed = nil
        // The daemon learns of that on a thread of its own.
        try EventLimit.wait(for: "nobody uses a keychain") {
            scene.served.pass(seconds: idle)
            return scene.served.open.isEmpty
        }
        #expect(try client.count("heard") == 1)
    }

    @Test("what a program has shown to one keychain ends with it, though its last connection was about another")
    func shownElsewhere() throws {
        let scene = try KeychainScene()
        try scene.make("build", "other")
        var client: SocketSession? = try scene.served.client("build")
        client?.begin(.random())
        var other: SocketSession? = try scene.served.client("other")
        #expect(try other?.state() == .noPasscode)
        client = nil
        for _ in 0..<50 { #expect(try other?.state() == .noPasscode) }
        other = nil
        try EventLimit.wait(for: "nobody uses a keychain") {
            scene.served.pass(seconds: idle)
            return scene.served.open.isEmpty
        }
    }

    @Test("what a tool's daemon has closed, programs may open themselves; what it opens again is its own")
    func givenBack() throws {
        let scene = try KeychainScene(givesBack: true)
        try scene.make("build")
        let client = try scene.served.client("build")
        try client.add("one")
        let own = scene.embedded("build")
        #expect(throws: KeychainError.self) { try own.engine().state() }
        own.close()
        scene.served.pass(seconds: idle)
        #expect(try own.engine().state().lockState == .noPasscode)
        own.close()
        #expect(try client.count("one") == 1)
        #expect(throws: KeychainError.self) { try own.engine().state() }
        own.close()
    }
}
