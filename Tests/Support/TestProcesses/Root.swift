// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Whether this process may do what only root may.
package enum Root {
    package static let isMine = geteuid() == 0
    /// Somebody who is not root.
    package static let nobody: UInt32 = 65_534
    package static let setpriv = ["/usr/bin/setpriv", "/bin/setpriv"].first(where: FileManager.default.isExecutableFile)
    package static let unshare = ["/usr/bin/unshare", "/bin/unshare"].first(where: FileManager.default.isExecutableFile)

    /// What to put before a program so that it runs as somebody else.
    package static var asNobody: [String] {
        [setpriv ?? "", "--reuid=\(nobody)", "--regid=\(nobody)", "--clear-groups", "--"]
    }
}
