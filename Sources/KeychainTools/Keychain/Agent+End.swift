// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import Glibc
package import KeychainConnection

/// The end of the daemon that a tool started.
extension Agent {
    /// Ends it, and returns when it has gone and given back what it had; false where none runs.
    ///
    /// A daemon that somebody else started is somebody else's to end.
    package static func end(of host: FollowingHost) throws(CommandError) -> Bool {
        guard let socket = host.socket else { return false }
        let client = unsafe llv_peer_connect(socket)
        guard client >= 0 else { return false }
        var listener = llv_peer_credentials()
        let failure = unsafe llv_peer_read_credentials(client, &listener)
        var isExact = false
        let process = failure == 0 ? unsafe llv_peer_open_process(client, listener.pid, &isExact) : failure
        // It waits for those who are connected.
        close(client)
        guard process >= 0 else { throw .failure("who listens at \(socket) cannot be found out (\(-process))") }
        defer { close(process) }
        guard listener.uid == geteuid(), isAgent(listener.pid), llv_peer_is_alive(process) == 1 else {
            throw .failure(
                """
                the llaverod at \(socket) is no agent of yours: `systemctl --user stop llaverod.socket llaverod` ends one of \
                systemd's, and `kill \(listener.pid)` any other of yours
                """)
        }
        let refusal = llv_peer_end_process(process)
        guard refusal == 0 || refusal == -ESRCH else { throw .failure("the agent cannot be ended (\(-refusal))") }
        guard llv_peer_wait(process, false, patience) == 1 else {
            throw .failure("the agent was told to end, and still has something to do")
        }
        return true
    }

    /// By the words that it was started with.
    private static func isAgent(_ process: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe llv_peer_read_process_file(process, "cmdline", &bytes, bytes.count)
        guard count > 0 else { return false }
        return bytes[..<Int(count)].split(separator: 0).contains { Array($0) == Array("--agent".utf8) }
    }

    /// Milliseconds.
    private static let patience: Int32 = 10_000
}
