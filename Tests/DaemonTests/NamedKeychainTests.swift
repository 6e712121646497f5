// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import KeychainModel
import KeychainRequest
import TestProcesses
import Testing

/// One daemon that has several keychains, each with a passcode and a lock state of its own.
@Suite struct NamedKeychainTests {
    private let scene: AdminScene

    init() throws { scene = try AdminScene() }

    private func status(_ keychain: String) throws -> [String: String] {
        let answer = try scene.tool(["status", "--plain"], more: ["LLAVERO_KEYCHAIN": keychain])
        let pairs = answer.output.split(separator: "\n").map {
            $0.split(separator: "\t", maxSplits: 1).map(String.init)
        }
        return Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { first, _ in first }
    }

    private func setPasscode(_ passcode: String, of keychain: String) throws {
        let answer = try scene.tool(
            ["passcode", "set", "--new-fd", "3", "--weak"], old: passcode, more: ["LLAVERO_KEYCHAIN": keychain])
        #expect(answer.code == 0, "\(answer.complaint)")
    }

    @Test("each keychain has its own passcode and its own lock")
    func apart() throws {
        try setPasscode("one", of: "login")
        try setPasscode("two", of: "build")
        let unlock = try scene.tool(["unlock", "--fd", "3"], old: "two", more: ["LLAVERO_KEYCHAIN": "build"])
        #expect(unlock.code == 0, "\(unlock.complaint)")
        #expect(scene.agent != nil)
        #expect(try status("build")["state"] == "unlocked")
        #expect(try status("login")["state"] == "before-first-unlock")
        #expect(try scene.tool(["unlock", "--fd", "3"], old: "two").code == 1)
        #expect(try scene.tool(["unlock", "--fd", "3"], old: "one").code == 0)
        #expect(try scene.tool(["lock"], more: ["LLAVERO_KEYCHAIN": "build"]).code == 0)
        #expect(try status("build")["state"] == "locked")
        #expect(try status("login")["state"] == "unlocked")
    }

    @Test("a keychain that the daemon has not met is made when a program names it as its own")
    func late() throws {
        try setPasscode("one", of: "login")
        #expect(try scene.tool(["unlock", "--fd", "3"], old: "one").code == 0)
        try setPasscode("two", of: "later")
        let folder = scene.folder.file(".local/share/llavero/later")
        #expect(FileManager.default.fileExists(atPath: folder + "/keychain.db"))
        #expect(try status("later")["keys"] == "daemon")
    }

    @Test("a keychain without use locks after its time, and one that is used does not")
    func timeout() throws {
        try setPasscode("one", of: "login")
        try setPasscode("two", of: "build")
        for (name, passcode) in [("login", "one"), ("build", "two")] {
            let unlock = try scene.tool(["unlock", "--fd", "3"], old: passcode, more: ["LLAVERO_KEYCHAIN": name])
            #expect(unlock.code == 0)
        }
        // What the tool will do with an option: here by the file that it writes, which counts when the daemon opens it.
        scene.stopAgent()
        let settings = scene.folder.file(".local/share/llavero/build/settings")
        try Data("lock-with-session no\ntimeout 1\n".utf8).write(to: URL(fileURLWithPath: settings))
        for (name, passcode) in [("login", "one"), ("build", "two")] {
            #expect(
                try scene.tool(["unlock", "--fd", "3"], old: passcode, more: ["LLAVERO_KEYCHAIN": name]).code == 0)
        }
        // Asking how it stands is no use of it, so it locks while it is asked.
        try EventLimit.wait(for: "the keychain locks by itself") { try status("build")["state"] == "locked" }
        #expect(try status("login")["state"] == "unlocked")
    }
}

/// What a keychain's removal leaves alone.
@Suite struct RemovalTests {
    private let scene: AdminScene

    init() throws { scene = try AdminScene() }

    private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    @Test("a folder that is no keychain is not removed, and nothing in it is touched")
    func noKeychain() throws {
        let folder = try scene.folder.makeFolder("project")
        for name in ["settings.py", "daemon.c", "owner", "keychain.db"] {
            try Data("mine".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let before = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(throws: KeychainError.self) {
            try ProcessHost.host(at: .folder(root: scene.folder.path, name: "project")).remove()
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == before)
    }

    @Test("what is not the keychain's stays when the keychain goes")
    func others() throws {
        let place = Place.folder(root: scene.folder.path, name: "mixed")
        let host = try ProcessHost.host(at: place)
        _ = try host.create(in: .software, makesRecoveryKey: false)
        try Data("mine".utf8).write(to: URL(fileURLWithPath: scene.folder.file("mixed/keychain.db.backup")))
        try host.remove()
        #expect(!exists(scene.folder.file("mixed")))
        let gone = try FileManager.default.contentsOfDirectory(atPath: scene.folder.path).first {
            $0.hasPrefix(".gone-")
        }
        let kept = try #require(gone)
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.folder.file(kept)) == ["keychain.db.backup"])
    }

    @Test("a keychain whose erasing was cut off behind the first step is destroyed by the next erasing of that name")
    func cutOff() throws {
        let place = Place.folder(root: scene.folder.path, name: "begun")
        _ = try ProcessHost.host(at: place).create(in: .software, makesRecoveryKey: false)
        let gone = [".gone-begun-17", ".gone-begun-too-17"].map { scene.folder.file($0) }
        for folder in gone { try FileManager.default.copyItem(atPath: scene.folder.file("begun"), toPath: folder) }
        try FileManager.default.removeItem(atPath: scene.folder.file("begun"))
        #expect(try KeychainRemoval.finish(place))
        #expect(gone.map(exists) == [false, true])
        #expect(try !KeychainRemoval.finish(place))
    }

    @Test("a keychain that a daemon has is not removed behind its back")
    func behindTheDaemon() throws {
        #expect(try scene.tool("passcode", "set", "--new-fd", "3", old: "right").code == 0)
        #expect(try scene.tool("unlock", "--fd", "3", old: "right").code == 0)
        let root = scene.folder.file(".local/share/llavero")
        #expect(throws: KeychainError.self) { try ProcessHost.host(at: .folder(root: root, name: "login")).remove() }
        #expect(exists(root + "/login/keychain.db"))
        #expect(try scene.status("state") == "unlocked")
    }

    @Test("an agent that ends gives back what it had")
    func givesBack() throws {
        #expect(try scene.tool("passcode", "set", "--new-fd", "3", old: "right").code == 0)
        #expect(try scene.tool("unlock", "--fd", "3", old: "right").code == 0)
        #expect(try scene.status("keys") == "daemon")
        scene.stopAgent()
        #expect(try scene.status("keys") == "process")
        #expect(try scene.status("state") == "before-first-unlock")
    }
}
