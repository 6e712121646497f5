// SPDX-License-Identifier: Apache-2.0

import CPeer
import Foundation
import Testing

/// Whose a process is that is in a namespace of users, where one user may be thousands.
@Suite(.enabled(if: geteuid() == 0, "only root can start programs of other users"))
struct NamespaceOwnerTests {
    private static let user: UInt32 = 65_532
    @Test("it is the user's who made the namespace, whatever number it has there and however deep", arguments: 1...3)
    func owner(depth: Int) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        let namespaces = Array(repeating: ["/usr/bin/unshare", "--user", "--map-root-user"], count: depth).flatMap(
            \.self)
        process.arguments =
            ["--reuid=\(Self.user)", "--regid=\(Self.user)", "--clear-groups"] + namespaces
            + ["/bin/sh", "-c", "echo ready; read line"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        defer {
            // Signals that are blocked here are blocked there.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        #expect(String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) == "ready\n")
        var owner: UInt32 = 0
        #expect(llv_peer_read_owner(process.processIdentifier, &owner) == 0)
        #expect(owner == Self.user)
    }

    @Test("a process in the daemon's own namespace is its user's")
    func own() {
        var owner: UInt32 = 4711
        #expect(llv_peer_read_owner(getpid(), &owner) == 0)
        #expect(owner == 4711)
    }
}
