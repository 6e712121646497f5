// SPDX-License-Identifier: Apache-2.0

internal import Glibc
package import KeychainModel

/// A root folder for keychains that are thrown away.
package struct TemporaryRoot: Sendable {
    package let path: String

    package init() throws(KeychainError) {
        let parent = Environment.current()["TMPDIR"] ?? "/tmp"
        var template = Array((parent + "/llavero-XXXXXX").utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw KeychainError(
                .notAvailable, "no folder can be made for a temporary keychain", subject: parent, code: Int64(errno))
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the folder with the keychains in it.
    ///
    /// Only what a keychain consists of is touched.
    package func remove() {
        Workplace.remove(KeychainFolder(root: path, name: "login"))
        unsafe rmdir(path)
    }
}
