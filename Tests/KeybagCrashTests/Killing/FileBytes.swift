// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Whole files as bytes.
enum FileBytes {
    /// Empty where there is no file.
    static func read(_ path: String) -> [UInt8] { [UInt8](FileManager.default.contents(atPath: path) ?? Data()) }
}
