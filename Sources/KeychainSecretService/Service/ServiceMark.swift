// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The file that makes a user's llaverod serve the Secret Service, however it was started.
package enum ServiceMark {
    /// For all users of the machine.
    package static let ofSystem = "/etc/llavero/secret-service"

    /// Beside the keychains of one user; no keychain's name begins with a dot.
    package static func path(root: String) -> String { root + "/.secret-service-enabled" }

    /// Whether one of the two is there, and written by somebody who may say so.
    package static func isSet(root: String) -> Bool { isSet(path(root: root)) || isSet(ofSystem) }

    private static func isSet(_ path: String) -> Bool {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return false }
        return facts.st_mode & S_IFMT == S_IFREG && facts.st_mode & 0o022 == 0
            && (facts.st_uid == 0 || facts.st_uid == geteuid())
    }
}
