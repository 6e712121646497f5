// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Keychains on a medium that cannot be written, or that their owner has made read-only.
@Suite struct ReadOnlyTests {
    @Test("on a read-only mount items are found, and every change is refused as read-only")
    func mount() throws {
        guard let launcher = Self.readOnlyMount() else { return }
        let folder = try TestFolder()
        var probe = ProbeRun(folder, ["LLAVERO_HOME": try folder.makeFolder("root"), "PATH": "/usr/bin:/bin:/sbin"])
        #expect(try probe("add") == ["add 0"])
        probe.launcher = launcher
        let lines = try probe("find", "add=new", "update", "delete", "why", "list", "check")
        try #require(lines.count == 7)
        #expect(lines[0] == "find 0 value of account")
        #expect(lines[1...3] == ["add -25292", "update -25292", "delete -25292"])
        #expect(lines[4].contains("read-only file system"))
        #expect(lines[5...] == ["list 0 account", "check clean"])
    }

    @Test("on a read-only mount, what a killed process left in its log is found as well")
    func mountWithLog() throws {
        guard let launcher = Self.readOnlyMount() else { return }
        let folder = try TestFolder()
        var probe = ProbeRun(folder, ["LLAVERO_HOME": try folder.makeFolder("root"), "PATH": "/usr/bin:/bin:/sbin"])
        #expect(try probe("add", "killed").first == "add 0")
        #expect(TestFolder.names(in: folder.file("root/login"))?.contains("keychain.db-wal") == true)
        probe.launcher = launcher
        #expect(try probe("find", "add=new") == ["find 0 value of account", "add -25292"])
    }

    @Test("on a read-only mount no keychain can be made")
    func birth() throws {
        guard let launcher = Self.readOnlyMount() else { return }
        let folder = try TestFolder()
        var probe = ProbeRun(folder, ["LLAVERO_HOME": try folder.makeFolder("root"), "PATH": "/usr/bin:/bin:/sbin"])
        probe.launcher = launcher
        #expect(try probe("add", "find") == ["add -25292", "find -25292 -"])
    }

    @Test("a keychain whose files and folder its owner made read-only is found in, and not changed")
    func modes() throws {
        // Root may write whatever the modes say, so somebody else has to try.
        guard !Root.isMine || Root.setpriv != nil else { return print("skipped: no setpriv to stop being root") }
        let folder = try TestFolder()
        let root = try folder.makeFolder("root")
        var probe = ProbeRun(folder, ["LLAVERO_HOME": root])
        if Root.isMine {
            chmod(folder.path, 0o711)
            chown(root, Root.nobody, Root.nobody)
            probe.launcher = Root.asNobody
            probe.program = try Self.copy(in: folder)
        }
        let added = try probe("add")
        #expect(added == ["add 0"])
        for name in TestFolder.names(in: root + "/login") ?? [] { chmod("\(root)/login/\(name)", 0o400) }
        for path in [root + "/login", root] { chmod(path, 0o500) }
        #expect(
            try probe("find", "add=new", "update", "delete")
                == ["find 0 value of account", "add -25292", "update -25292", "delete -25292"])
        for path in [root, root + "/login"] { chmod(path, 0o700) }
    }

    /// What to put before a program so that it sees `LLAVERO_HOME` mounted read-only; nil, with a line that says why,
    /// where nobody may mount.
    private static func readOnlyMount() -> [String]? {
        guard let unshare = Root.unshare else {
            print("skipped: there is no unshare to mount with")
            return nil
        }
        let namespaces = Root.isMine ? ["-m"] : ["-r", "-m"]
        let script =
            #"mount --bind "$LLAVERO_HOME" "$LLAVERO_HOME" && "#
            + #"mount -o remount,ro,bind "$LLAVERO_HOME" && exec "$0" "$@""#
        let launcher = [unshare] + namespaces + ["--", "/bin/sh", "-c", script]
        guard let folder = try? TestFolder(),
            let trial = try? HelperProcess.run(
                [], environment: ["LLAVERO_HOME": folder.path, "PATH": "/usr/bin:/bin:/sbin"], in: TestFolder(),
                launcher: launcher, program: "/bin/true"), trial.ending == .exited(0)
        else {
            print("skipped: this machine lets nobody mount a folder read-only")
            return nil
        }
        return launcher
    }

    /// The helper where everybody can reach it.
    private static func copy(in folder: TestFolder) throws -> String {
        let copy = folder.file("helper")
        try ProgramFile.copy(HelperProcess.path(), to: copy)
        return copy
    }
}
