// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// Table L: files that cannot be read or written, and keychains beside each other.
extension Scenario {
    private static let item = TestItem("item", .dk)

    static let files = [
        Scenario("L10", "a database that is out of reach, and then in reach", on: Ground.onDisk) { scene in
            #expect(scene.program.add(item) == errSecSuccess)
            scene.program.reopen()
            let path = try scene.file("keychain.db")
            // Root reads whatever the mode is, so the file goes away instead.
            try Child.shell("mv \"$1\" \"$1.aside\"", path)
            for _ in 0..<2 {
                #expect(scene.program.find(item) == errSecNotAvailable)
                #expect(scene.program.add(TestItem("other", .dk)) == errSecNotAvailable)
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            try Child.shell("mv \"$1.aside\" \"$1\"", path)
            #expect(scene.program.find(item) == errSecSuccess)
        },
        Scenario(
            "L11", "a database of zeros or rubbish is not available until it is repaired, and stays", ours: "D19",
            on: Ground.onDisk
        ) { scene in
            #expect(scene.program.add(item) == errSecSuccess)
            for source in ["/dev/zero", "/dev/urandom"] {
                scene.program.reopen()
                let path = try scene.file("keychain.db")
                try Child.shell("cp \"$1\" \"$1.aside\" && head -c 40960 \"$2\" > \"$1\"", path, source)
                let digest = try Child.shell("sha256sum < \"$1\"", path)
                #expect(scene.program.find(item) == errSecNotAvailable)
                #expect(scene.program.add(item) == errSecNotAvailable)
                #expect(scene.program.delete(item) == errSecNotAvailable)
                scene.program.reopen()
                #expect(try Child.shell("sha256sum < \"$1\"", path) == digest)
                try Child.shell("mv \"$1.aside\" \"$1\"", path)
                #expect(scene.program.find(item) == errSecSuccess)
            }
        },
        Scenario(
            "L14", "a keychain that this software may only read refuses changes as read-only", ours: "architecture",
            on: Ground.onDisk
        ) { scene in
            // Read-only files and mounts need another user; ReadOnlyTests has them.
            #expect(scene.program.add(item) == errSecSuccess)
            try scene.program.setPasscode(try Passcodes.first())
            scene.program.reopen()
            try scene.intruder().execute("update keychain set min_writer = 99")
            #expect(scene.program.add(TestItem("other", .dk)) == errSecReadOnly)
            #expect(scene.program.update(item, label: "changed") == errSecReadOnly)
            #expect(scene.program.delete(item) == errSecReadOnly)
            #expect(scene.program.find(item) == errSecSuccess)
            let changes: [(Llavero.Keybag) throws -> Void] = [
                { try $0.rotateKeys(passcode: try Passcodes.first()) },
                { try $0.changePasscode(from: try Passcodes.first(), to: try Passcodes.second()) },
                { try $0.removePasscode(try Passcodes.first()) },
                { _ = try $0.makeRecoveryKey(passcode: try Passcodes.first()) },
            ]
            for change in changes { #expect(scene.program.status(change) == errSecReadOnly) }
            try scene.intruder().execute("update keychain set min_writer = 3")
            scene.program.reopen()
            try scene.program.unlock(try Passcodes.first())
            #expect(scene.program.delete(item) == errSecSuccess)
            #expect(try scene.program.check() == [])
        },
        Scenario("L15", "items, locks and passcodes of two keychains never meet") { scene in
            let other = try Scene(scene.ground)
            #expect(scene.program.add(item) == errSecSuccess)
            #expect(other.program.find(item) == errSecItemNotFound)
            #expect(other.program.update(item, label: "changed") == errSecItemNotFound)
            #expect(other.program.delete(item) == errSecItemNotFound)
            #expect(other.program.add(item) == errSecSuccess && other.program.delete(item) == errSecSuccess)
            #expect(scene.program.find(item) == errSecSuccess)
            try scene.program.setPasscode(try Passcodes.first())
            try scene.program.lock()
            #expect(try other.program.lockState() == .noPasscode)
            #expect(other.program.add(TestItem("item", .ak)) == errSecSuccess)
        },
    ]
}
