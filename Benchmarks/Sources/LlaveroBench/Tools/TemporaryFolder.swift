// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder that only this user can enter and that goes with this value.
final class TemporaryFolder {
    let url: URL
    var path: String { url.path }

    init(beside neighbour: URL? = nil) throws {
        let place = neighbour?.deletingLastPathComponent() ?? FileManager.default.temporaryDirectory
        url = place.appendingPathComponent("llavero-bench-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}
