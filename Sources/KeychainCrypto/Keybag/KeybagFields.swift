// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding

/// A dictionary of a keybag, read field by field; a missing or misplaced field is damage.
struct KeybagFields {
    private let fields: [String: PropertyList]

    init(decoding bytes: [UInt8]) throws(KeybagError) {
        guard case .dictionary(let fields)? = try? PropertyList(decoding: bytes) else { throw .damaged }
        self.fields = fields
    }

    init(_ value: PropertyList) throws(KeybagError) {
        guard case .dictionary(let fields) = value else { throw .damaged }
        self.fields = fields
    }

    func number(_ name: String) throws(KeybagError) -> Int64 {
        guard case .number(let number)? = fields[name] else { throw .damaged }
        return number
    }

    func data(_ name: String) throws(KeybagError) -> [UInt8] {
        guard case .data(let data)? = fields[name] else { throw .damaged }
        return data
    }

    /// Bytes that need not be there.
    func optionalData(_ name: String) throws(KeybagError) -> [UInt8]? {
        if fields[name] == nil { return nil }
        return try data(name)
    }

    func string(_ name: String) throws(KeybagError) -> String {
        guard case .string(let string)? = fields[name] else { throw .damaged }
        return string
    }

    func array(_ name: String) throws(KeybagError) -> [PropertyList] {
        guard case .array(let array)? = fields[name] else { throw .damaged }
        return array
    }

    /// An array that need not be there.
    func optionalArray(_ name: String) throws(KeybagError) -> [PropertyList]? {
        if fields[name] == nil { return nil }
        return try array(name)
    }

    /// A dictionary that need not be there.
    func dictionary(_ name: String) throws(KeybagError) -> KeybagFields? {
        guard let value = fields[name] else { return nil }
        return try KeybagFields(value)
    }
}
