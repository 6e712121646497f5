// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCrypto

/// Where a device of a circle runs: two machines with one device's keys are told apart by it.
package enum CirclePlace {
    /// 16 bytes of a hash over the machine and the folder of the keychain; nothing can be told from them.
    ///
    /// A machine that was restored from a backup is the same; a container that was started twice from one image is two, if its
    /// folders have different paths or each has a machine id.
    package static func bytes(folder: String?) -> [UInt8] {
        let text = "llavero place\n" + machine() + "\n" + (folder ?? "")
        return Array(((try? Digest.sha256(of: Array(text.utf8))) ?? []).prefix(16))
    }

    /// The machine's own name for itself; empty where it has none.
    private static func machine() -> String {
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else { continue }
            defer { close(file) }
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = unsafe read(file, &bytes, bytes.count)
            guard count > 0, let text = String(validating: bytes.prefix(count), as: UTF8.self) else { continue }
            return String(text.prefix { $0 != "\n" })
        }
        return ""
    }
}
