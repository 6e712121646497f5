// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainDaemon
import KeychainModel
import KeychainRequest
import KeychainSystem
import KeychainTransport
import TestDaemon
internal import TestProcesses
import Testing

/// Keychains that go while others use them.
@Suite struct RemovalRaceTests {
    @Test("a keychain that is made and removed again and again always goes, however many ask for it meanwhile")
    func raced() throws {
        let scene = try KeychainScene()
        let isOver = ForkSafeMutex(false)
        let strange = ForkSafeMutex<[String]>([])
        let askers = DispatchGroup()
        let rounds = 40
        for _ in 0..<4 {
            let client = try scene.served.client("build")
            askers.enter()
            Thread.detachNewThread {
                defer { askers.leave() }
                while !isOver.withLock({ $0 }) {
                    do throws(KeychainError) { _ = try client.count("one") } catch {
                        // It is not there, or went while somebody looked.
                        if ![.noSuchKeychain, .notAvailable].contains(error.reason) {
                            strange.withLock { $0.append(error.description) }
                        }
                    }
                }
            }
        }
        let client = try scene.served.client("build")
        let path = try #require(scene.served.place("build").path)
        for round in 0..<rounds {
            if round.isMultiple(of: 2) { try scene.make("build") } else { try client.make(nil) }
            try client.add("one")
            try client.remove(at: path)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
        isOver.withLock { $0 = true }
        askers.wait()
        #expect(strange.withLock { $0 } == [])
        // Nothing is left beside it either, and nothing open.
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.path) == [])
        #expect(scene.served.files(of: "build") == 0)
        #expect(scene.served.open == [])
    }

    @Test("a program that is started just then does not keep it")
    func spawned() throws {
        let scene = try KeychainScene()
        let isOver = ForkSafeMutex(false)
        let starters = DispatchGroup()
        starters.enter()
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) {
                let process = Process()
                process.executableURL = URL(fileURLWithPath: "/bin/true")
                try? process.run()
                process.waitUntilExit()
            }
            starters.leave()
        }
        let client = try scene.served.client("build")
        for _ in 0..<40 {
            try client.make(nil)
            try client.remove(at: nil)
        }
        isOver.withLock { $0 = true }
        starters.wait()
    }

    @Test("what is wrong with a removal leaves the keychain as it is")
    func refused() throws {
        let scene = try KeychainScene()
        try scene.make("build", "login")
        let client = try scene.served.client("build")
        try client.add("one")
        let elsewhere = #expect(throws: KeychainError.self) { try client.remove(at: "/nowhere/build") }
        #expect(elsewhere?.text.contains("in another folder") == true)
        let usual = #expect(throws: KeychainError.self) { try scene.served.client("login").remove(at: nil) }
        #expect(usual?.reason == .missingEntitlement)
        let absent = #expect(throws: KeychainError.self) { try scene.served.client("absent").remove(at: nil) }
        #expect(absent?.reason == .noSuchKeychain)
        #expect(try client.count("one") == 1)
        #expect(try scene.served.place("login").exists)
    }

    @Test("one that cannot be opened goes too")
    func damaged() throws {
        let scene = try KeychainScene()
        try scene.make("build")
        let path = scene.folder.file("build")
        try Data("no database".utf8).write(to: URL(fileURLWithPath: path + "/keychain.db"))
        let client = try scene.served.client("build")
        #expect(throws: KeychainError.self) { try client.state() }
        try client.remove(at: path)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a keychain is made with its passcode or not at all, and not twice")
    func made() throws {
        let scene = try KeychainScene()
        let client = try scene.served.client("build")
        let passcode = try #require(KeychainScene.passcode)
        try client.make(passcode)
        #expect(try client.state() == .unlocked)
        let twice = #expect(throws: KeychainError.self) { try client.make(nil) }
        #expect(twice?.reason == .duplicateKeychain)
        #expect(try client.state() == .unlocked)
        try client.remove(at: nil)
        try client.make(nil)
        #expect(try client.state() == .noPasscode)
        try client.remove(at: nil)
    }
}
