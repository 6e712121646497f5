// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A TPM of software for as long as the object is used, in a folder of its own.
final class Swtpm {
    private let folder: TemporaryFolder
    private let child: Child
    private let process: pid_t

    /// How tpm2-tss reaches it.
    var connection: String { "swtpm:path=\(folder.path)/socket" }

    /// nil when swtpm is not installed.
    init?() throws {
        guard let program = Child.find("swtpm") else { return nil }
        folder = try TemporaryFolder()
        let socket = folder.path + "/socket"
        child = Child(
            program: program,
            arguments: [
                "socket", "--tpm2", "--tpmstate", "dir=" + folder.path, "--server", "type=unixio,path=" + socket,
                "--ctrl", "type=unixio,path=" + socket + ".ctrl", "--flags", "not-need-init,startup-clear",
            ], environment: [])
        process = try child.start(reading: "")
        let end = Stopwatch.now() + 5e6
        while access(socket, F_OK) != 0 || access(socket + ".ctrl", F_OK) != 0 {
            try WrongResult.unless(Stopwatch.now() < end, "swtpm does not start")
            usleep(1000)
        }
    }

    func stop() {
        kill(process, SIGTERM)
        _ = try? child.wait(for: process)
    }
}
