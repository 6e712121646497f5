// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses

/// Somebody who takes connections and says nothing.
package final class SilentSocket: Sendable {
    private let file: Int32
    private let path: String

    package init(_ path: String) throws {
        self.path = path
        file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8).prefix($0.count - 1)) }
        let bound = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        guard bound, listen(file, 4) == 0 else { throw Trouble("no socket at \(path): \(errno)") }
    }

    package func close() {
        Foundation.close(file)
        unlink(path)
    }
}
