// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// A program that runs with more rights than its caller.
@Suite struct SecureExecutionTests {
    @Test(
        "a set-uid program does not believe its caller's environment",
        .enabled(
            if: Root.isMine && Root.setpriv != nil && Root.unshare != nil,
            "only root can make such a program and run it as another"))
    func environment() throws {
        let folder = try TestFolder()
        chmod(folder.path, 0o711)
        let copy = folder.file("set-uid-helper")
        // By a child: while this process has the copy open for writing, another test's child may inherit that, and the
        // kernel starts no program that somebody can write to.
        let copying = try Process.run(URL(fileURLWithPath: "/bin/cp"), arguments: [HelperProcess.path(), copy])
        copying.waitUntilExit()
        try #require(copying.terminationStatus == 0)
        var probe = ProbeRun(
            folder,
            [
                "LLAVERO_HOME": folder.file("lured"), "XDG_DATA_HOME": folder.file("lured"),
                "HOME": folder.file("lured"), "LLAVERO_KEYCHAIN": "lure",
            ])
        // It believes no variable, so what keeps it from a llaverod of the system that runs here is a /run without one.
        let withoutDaemons = "mount -t tmpfs -o mode=755 none /run && exec \"$@\""
        probe.launcher = [Root.unshare ?? "", "--mount", "/bin/sh", "-c", withoutDaemons, "sh"] + Root.asNobody
        probe.program = copy

        // The control: with its caller's rights only, the same file does believe it.
        chmod(copy, 0o755)
        #expect(try probe("folder") == ["folder \(folder.file("lured"))/lure"])

        chmod(copy, 0o4755)
        let home = try #require(getpwuid(0).flatMap { $0.pointee.pw_dir }.map { String(cString: $0) })
        let lines = try probe("folder")
        if lines.contains(where: { $0.contains("error while loading shared libraries") }) {
            return print("skipped: a set-uid program cannot load Swift's libraries here: \(lines)")
        }
        #expect(lines == ["folder \(home)/.local/share/llavero/login"])
    }
}
