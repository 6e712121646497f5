// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel

/// The raw values are written out in the type: they stand in items too.
extension Accessibility: WireNumbered {
    var wireNumber: Int64 { Int64(rawValue) }
}

/// The number of the protection class; with rules, the dictionary of `AccessControlCoding`.
///
/// The engine counts the ways to meet the rules, which grow with every factor: that coding refuses rules that are too
/// deep or too wide for it, a threshold outside its parts, and digests of fingers of any size but theirs.
extension AccessControl: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> AccessControl {
        if fields.isNext(WireTag.number) { return AccessControl(protection: try fields.next()) }
        let control = try unsafe fields.element(of: WireTag.dictionary) { (bytes) throws(CodingError) in
            try AccessControlCoding.control(try unsafe PropertyList(decoding: bytes))
        }
        // A dictionary without rules would be a second form of the number.
        guard control.rules != nil else { throw .malformed }
        return control
    }

    func write(to writer: inout WireWriter) throws(WireError) {
        guard rules != nil else { return try writer.write(protection) }
        do throws(CodingError) { writer.element(try AccessControlCoding.encode(self)) } catch { throw .unwritable }
    }
}

extension ProtectedOperation: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .decrypt: 1
        case .encrypt: 2
        case .sign: 3
        case .computeKey: 4
        case .decapsulate: 5
        case .attest: 6
        case .delete: 7
        case .others: 8
        }
    }
}
