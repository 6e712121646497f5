// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// The keys, certificates and keybags that inputs are tried with; `Fuzz/fixtures.sh` and `llavero-fuzz --seeds` made them.
package enum Fixtures {
    /// The folder `Fuzz`.
    package static let root = (1...3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    package static func corpus(of target: FuzzTarget) -> URL {
        root.appendingPathComponent("Corpora").appendingPathComponent(target.name)
    }

    package static func url(_ name: String) -> URL {
        root.appendingPathComponent("Fixtures").appendingPathComponent(name)
    }

    /// The content of a fixture; nothing when it is not there, which the target that needs it then says.
    internal static func bytes(_ name: String) -> [UInt8] {
        (try? Data(contentsOf: url(name))).map { [UInt8]($0) } ?? []
    }
}
