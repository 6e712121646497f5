// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import KeychainCoding
    internal import KeychainCrypto
    internal import KeychainModel
    internal import Testing

    /// What somebody can do with the file who has understood its format.
    struct RecordEditor {
        let test: TestEnclave

        var payload: [UInt8] {
            get throws { try #require(try TwinRecord.decode(test.bytes, magic: magic)).bytes }
        }

        func write(payload: [UInt8]) throws { try test.write(TwinRecord.encode(payload, magic: magic)) }

        /// The fields of the one gate there is.
        func gate() throws -> [String: PropertyList] {
            guard case .dictionary(let fields) = try PropertyList(decoding: payload),
                case .array(let gates)? = fields["gates"], case .dictionary(let gate)? = gates.first
            else { throw EnclaveError.damaged }
            return gate
        }

        /// Changes the fields of the one gate there is.
        func editGate(_ edit: (inout [String: PropertyList]) -> Void) throws {
            guard case .dictionary(var fields) = try PropertyList(decoding: payload) else { throw EnclaveError.damaged }
            var gate = try gate()
            edit(&gate)
            fields["gates"] = .array([.dictionary(gate)])
            try write(payload: PropertyList.dictionary(fields).encoded())
        }

        /// What opens a gate in the TPM: derived as the enclave derives it.
        static func authorization(_ gate: GateID, _ key: UInt8) throws -> [UInt8] {
            try TestEnclave.key(key).withUnsafeBytes { key in
                try [UInt8](count: 32) { buffer in
                    try KeyDerivation.hkdf(
                        secret: key, salt: gate.bytes, info: Array("llavero tpm gate".utf8), into: buffer)
                }
            }
        }

        private let magic = Array("LLAVETPM".utf8)
    }
#endif
