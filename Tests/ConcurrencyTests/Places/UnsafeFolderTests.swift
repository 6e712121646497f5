// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Folders in which somebody else could put a keychain of his own.
@Suite struct UnsafeFolderTests {
    @Test(
        "a root or a keychain that others can write to is refused, with the reason and the way out",
        arguments: [0o770, 0o707, 0o722])
    func writable(mode: Int) throws {
        let folder = try TestFolder()
        let probe = ProbeRun(folder, ["LLAVERO_HOME": try folder.makeFolder("root")])
        #expect(try probe("add") == ["add 0"])
        for path in ["root", "root/login"] {
            _ = try folder.makeFolder(path, mode: mode)
            let lines = try probe("find", "why", "add", "folder")
            #expect(lines.filter { $0.hasPrefix("find") || $0.hasPrefix("add") } == ["find -25291 -", "add -25291"])
            #expect(lines.contains { $0.contains("other users can write to the folder; set its mode to 0700") })
            _ = try folder.makeFolder(path, mode: 0o700)
        }
        #expect(try probe("find") == ["find 0 value of account"])
    }

    @Test(
        "a keychain's folder or database that others can read is refused, not repaired, and what to do is said",
        arguments: [("root/login", 0o755), ("root/login", 0o711), ("root/login", 0o750)]
            + [("root/login/keychain.db", 0o644), ("root/login/keychain.db", 0o666)])
    func readable(path: String, mode: Int) throws {
        let folder = try TestFolder()
        let probe = ProbeRun(folder, ["LLAVERO_HOME": try folder.makeFolder("root")])
        #expect(try probe("add") == ["add 0"])
        #expect(chmod(folder.file(path), mode_t(mode)) == 0)
        let lines = try probe("find", "why", "add")
        #expect(lines.filter { $0.hasPrefix("find") || $0.hasPrefix("add") } == ["find -25291 -", "add -25291"])
        #expect(lines.contains { $0.contains("chmod -R go=") })
        #expect(try Permissions.of(folder.file(path)) == mode)
        #expect(chmod(folder.file(path), path.hasSuffix("db") ? 0o600 : 0o700) == 0)
        #expect(try probe("find") == ["find 0 value of account"])
    }

    private enum Permissions {
        static func of(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
    }

    @Test("a group-writable root gets no keychain")
    func noBirth() throws {
        let folder = try TestFolder()
        let root = try folder.makeFolder("root", mode: 0o770)
        #expect(try ProbeRun(folder, ["LLAVERO_HOME": root])("add") == ["add -25291"])
        #expect(TestFolder.names(in: root) == [])
    }

    @Test("a folder of another user is refused", .enabled(if: Root.isMine, "only root can give folders away"))
    func anotherUser() throws {
        let folder = try TestFolder()
        let root = try folder.makeFolder("root")
        let probe = ProbeRun(folder, ["LLAVERO_HOME": root])
        #expect(try probe("add") == ["add 0"])
        for path in [root + "/login", root] {
            #expect(chown(path, Root.nobody, Root.nobody) == 0)
            let lines = try probe("find", "why")
            #expect(lines.first == "find -25291 -")
            #expect(lines.last?.contains("belongs to another user") == true)
            #expect(chown(path, 0, 0) == 0)
        }
        #expect(try probe("find") == ["find 0 value of account"])
    }

    @Test("a device key that others can read is refused", arguments: [0o640, 0o604, 0o666])
    func exposedKey(mode: Int) throws {
        let folder = try TestFolder()
        let probe = ProbeRun(folder, ["LLAVERO_HOME": try folder.makeFolder("root")])
        #expect(try probe("add") == ["add 0"])
        #expect(chmod(folder.file("root/login/device.key"), mode_t(mode)) == 0)
        let lines = try probe("find", "why")
        #expect(lines.first == "find -25291 -")
        #expect(lines.last?.contains("device.key") == true)
    }
}
