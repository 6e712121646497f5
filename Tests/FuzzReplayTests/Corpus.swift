// SPDX-License-Identifier: Apache-2.0

import Foundation
import FuzzTargets

/// The files in `Fuzz/Corpora`.
enum Corpus {
    static func files(of target: FuzzTarget) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: Fixtures.corpus(of: target), includingPropertiesForKeys: nil)
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    static func bytes(_ file: URL) throws -> [UInt8] { [UInt8](try Data(contentsOf: file)) }
}
