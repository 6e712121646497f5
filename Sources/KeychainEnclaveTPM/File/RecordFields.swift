// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import KeychainCoding
    internal import KeychainEnclave

    /// A dictionary of the file, read field by field; a missing or misplaced field is damage.
    struct RecordFields {
        private let fields: [String: PropertyList]

        init(_ value: PropertyList) throws(EnclaveError) {
            guard case .dictionary(let fields) = value else { throw .damaged }
            self.fields = fields
        }

        func number<Number: FixedWidthInteger>(_ name: String) throws(EnclaveError) -> Number {
            guard case .number(let value)? = fields[name], let number = Number(exactly: value) else { throw .damaged }
            return number
        }

        func data(_ name: String) throws(EnclaveError) -> [UInt8] {
            guard case .data(let data)? = fields[name] else { throw .damaged }
            return data
        }

        func array(_ name: String) throws(EnclaveError) -> [PropertyList] {
            guard case .array(let array)? = fields[name] else { throw .damaged }
            return array
        }
    }
#endif
