// SPDX-License-Identifier: Apache-2.0

/// Why a test cannot go on.
package struct Trouble: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}
