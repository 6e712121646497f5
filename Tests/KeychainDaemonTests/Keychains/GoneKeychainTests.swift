// SPDX-License-Identifier: Apache-2.0

import Foundation
internal import KeychainConnection
import KeychainDaemon
import KeychainModel
import KeychainRequest
import KeychainTransport
import TestDaemon
import TestProcesses
import Testing

/// A keychain whose folder somebody removes, moves or replaces while a daemon has it open.
@Suite struct GoneKeychainTests {
    private let scene: KeychainScene
    private let passcode: Passcode

    init() throws {
        scene = try KeychainScene()
        passcode = try #require(KeychainScene.passcode)
        try scene.make("build")
    }

    private func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: scene.folder.file(name), toPath: scene.folder.file(other))
    }

    @Test("it is given up with its keys and files, by a program that stays connected too, and a new one is another")
    func removed() throws {
        let client = try scene.served.client("build")
        try client.add("one")
        try client.ask(.setPasscode(passcode, erasingAfter: 0))
        let opened = try #require(scene.served.keychains.opened.first?.keychain)
        try FileManager.default.removeItem(atPath: scene.folder.file("build"))
        let failure = #expect(throws: KeychainError.self) { try client.count("one") }
        #expect(failure?.reason == .vanishedKeychain)
        #expect(opened.isOver)
        #expect(scene.served.open.isEmpty)
        #expect(scene.served.files(of: "build") == 0)
        try scene.make("build")
        #expect(try client.state() == .noPasscode)
        #expect(try client.count("one") == 0)
    }

    @Test("the one that programs mean who name none is not made anew by them either, but by who asks for a new one")
    func usual() throws {
        let (keychains, user) = (scene.served.keychains, geteuid())
        try scene.make("login")
        try scene.served.client("login").add("one")
        try FileManager.default.removeItem(atPath: scene.folder.file("login"))
        for _ in 0..<2 {
            let failure = #expect(throws: KeychainError.self) {
                try keychains.keychain(.usual, of: user, makesIt: true)
            }
            #expect(failure?.reason == .vanishedKeychain)
            #expect(failure?.text.contains("llavero keychains create") == true)
        }
        _ = try keychains.make(.usual, of: user, nil)
        #expect(try scene.served.client("login").count("one") == 0)
    }

    @Test("where a new one cannot be made in its place, it is still missed")
    func failing() throws {
        let (keychains, user) = (scene.served.keychains, geteuid())
        try scene.make("login")
        try scene.served.client("login").add("one")
        try FileManager.default.removeItem(atPath: scene.folder.file("login"))
        // Others could put another keychain in its place there.
        chmod(scene.folder.path, 0o777)
        #expect(throws: KeychainError.self) { try keychains.make(.usual, of: user, nil) }
        chmod(scene.folder.path, 0o700)
        let failure = #expect(throws: KeychainError.self) {
            try keychains.keychain(.usual, of: user, makesIt: true)
        }
        #expect(failure?.reason == .vanishedKeychain)
    }

    @Test("where its first passcode cannot be set, the new one goes, and the old one is still missed, gone or emptied")
    func failingPasscode() throws {
        let (keychains, user) = (scene.served.keychains, geteuid())
        let folder = scene.folder.file("login")
        try scene.make("login")
        try scene.served.client("login").add("one")
        for isEmptied in [false, true] {
            if !isEmptied { try FileManager.default.moveItem(atPath: folder, toPath: scene.folder.file("kept")) }
            if isEmptied { mkdir(folder, 0o700) }
            #expect(throws: KeychainError.self) {
                try keychains.make(.usual, of: user, passcode, WorkOrder(user: user) { false })
            }
            let failure = #expect(throws: KeychainError.self) {
                try keychains.keychain(.usual, of: user, makesIt: true)
            }
            #expect(failure?.reason == .vanishedKeychain, "\(isEmptied)")
        }
        rmdir(folder)
        try FileManager.default.moveItem(atPath: scene.folder.file("kept"), toPath: folder)
        #expect(try scene.served.client("login").count("one") == 1)
    }

    @Test("its folder emptied is as good as gone: nothing is written there, and a new one is made for who asks for it")
    func emptied() throws {
        let client = try scene.served.client("build")
        try client.add("one")
        let folder = scene.folder.file("build")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        }
        let failure = #expect(throws: KeychainError.self) { try client.add("two") }
        #expect(failure?.reason == .vanishedKeychain)
        #expect(failure?.text.contains("is the disk mounted?") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        try scene.make("build")
        #expect(try client.count("one") == 0)
    }

    @Test("one that was moved is served where it is, locked, and nothing is written in its old place")
    func moved() throws {
        let client = try scene.served.client("build")
        try client.add("one")
        try client.ask(.setPasscode(passcode, erasingAfter: 0))
        try move("build", to: "other")
        let other = try scene.served.client("other")
        #expect(try other.state() == .beforeFirstUnlock)
        try other.ask(.unlock(passcode))
        #expect(try other.count("one") == 1)
        #expect(throws: KeychainError.self) { try client.count("one") }
        #expect(!FileManager.default.fileExists(atPath: scene.folder.file("build")))
        scene.served.end()
        #expect(try scene.log(of: "other").findings.isEmpty)
    }

    @Test("one that was put in its place is that one, whole, with a log of its own")
    func replaced() throws {
        try scene.make("other")
        try scene.served.client("other").add("two")
        for (_, keychain) in scene.served.keychains.opened { keychain.end() }
        let client = try scene.served.client("build")
        try client.add("one")
        try move("build", to: "aside")
        try move("other", to: "build")
        #expect(try client.count("one") == 0)
        #expect(try client.count("two") == 1)
        for (_, keychain) in scene.served.keychains.opened { #expect(try keychain.host.check() == []) }
        scene.served.end()
        #expect(try scene.log(of: "build").findings.isEmpty)
    }

    @Test("a path that cannot be looked at says nothing of what is there: it is an error, and the keychain stays open")
    func hidden() throws {
        let client = try scene.served.client("build")
        try client.add("one")
        try client.ask(.setPasscode(passcode, erasingAfter: 0))
        try move("build", to: "aside")
        // No folder: ENOTDIR.
        try Data().write(to: URL(fileURLWithPath: scene.folder.file("build")))
        #expect(throws: KeychainError.self) { try client.add("two") }
        #expect(scene.served.open == ["build"])
        try FileManager.default.removeItem(atPath: scene.folder.file("build"))
        try move("aside", to: "build")
        #expect(try client.state() == .unlocked)
        #expect(try client.count("one") == 1)
    }
}
