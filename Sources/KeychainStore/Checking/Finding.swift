// SPDX-License-Identifier: Apache-2.0

/// Something that is not as it must be.
///
/// It names places, never values.
package struct Finding: Sendable, Equatable, CustomStringConvertible {
    package let place: String
    package let trouble: String

    package init(_ place: String, _ trouble: String) {
        self.place = place
        self.trouble = trouble
    }

    package var description: String { "\(place): \(trouble)" }
}
