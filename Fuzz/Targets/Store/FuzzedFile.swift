// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A file that its owner alone can read, with the bytes of one input; it goes with the object.
internal final class FuzzedFile {
    let path: String

    init?(_ bytes: [UInt8]) {
        // In memory: what is written there is written a thousand times a second.
        let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
        path = "\(folder)/llavero-fuzz-\(UUID().uuidString)"
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o600]
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes), attributes: attributes) else {
            return nil
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var bytes: [UInt8] { (try? Data(contentsOf: URL(fileURLWithPath: path))).map { [UInt8]($0) } ?? [] }
}
