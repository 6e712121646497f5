// SPDX-License-Identifier: Apache-2.0

package import KeychainModel

/// An item's attributes as the dictionary its metadata envelope holds: the four-letter keys, and text, bytes, numbers
/// and dates as values.
package enum AttributeCoding {
    /// The encoding; `.duplicateKey` for a list that repeats an attribute, `.dateOutOfRange` for a date without text.
    package static func encode(_ list: AttributeList) throws(CodingError) -> [UInt8] {
        try EntryPlan.withPlan(for: list) { plan throws(CodingError) in
            let size = plan.encodedSize
            return DERWriter.bytes(count: size) { writer in unsafe plan.write(list, data: nil, to: &writer) }
        }
    }

    /// How many bytes `encode` gives, without giving them.
    package static func encodedSize(_ list: AttributeList) throws(CodingError) -> Int {
        try EntryPlan.withPlan(for: list) { plan in plan.encodedSize }
    }
}
