// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// The dictionary of `AttributeCoding`, which refuses what is no attribute and what comes twice.
///
/// `AttributeList` appends unchecked and finds the first of two, so an attribute that came twice would be checked in one
/// place and stored from the other. Dates are finite there, and of the years 0 to 9999.
extension AttributeList: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> AttributeList {
        try unsafe fields.element(of: WireTag.dictionary) { (bytes) throws(CodingError) in
            try unsafe AttributeCoding.decode(bytes)
        }
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        do throws(CodingError) { writer.element(try AttributeCoding.encode(self)) } catch { throw .unwritable }
    }
}
