// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import KeychainCoding
    internal import KeychainEnclave
    internal import KeychainModel

    /// What the file of a TPM's enclave says; no secret is in it that the TPM has not encrypted.
    struct DeviceRecord: Sendable, Equatable {
        let keychain: KeychainUUID
        /// Where the storage key lies in the TPM, and its name.
        let storageKeyPlace: UInt32
        let storageKeyName: [UInt8]
        /// Empty when the TPM keeps it to itself.
        let endorsementKeyName: [UInt8]
        let root: KeptObject
        var gates: [GateRecord] = []

        func position(of gate: GateID) -> Int? { gates.firstIndex { $0.id == gate } }
    }

    extension DeviceRecord {
        func encoded() throws(EnclaveError) -> [UInt8] {
            do throws(CodingError) {
                return try PropertyList.dictionary([
                    "version": .number(DeviceRecord.version),
                    "keychain": .data(keychain.bytes),
                    "storageKeyPlace": .number(Int64(storageKeyPlace)),
                    "storageKeyName": .data(storageKeyName),
                    "endorsementKeyName": .data(endorsementKeyName),
                    "root": .data(root.bytes),
                    "gates": .array(gates.map(\.fields)),
                ]).encoded()
            } catch { throw .damaged }
        }

        init(decoding bytes: [UInt8]) throws(EnclaveError) {
            guard let value = try? PropertyList(decoding: bytes) else { throw .damaged }
            let fields = try RecordFields(value)
            guard try fields.number("version") == DeviceRecord.version,
                let keychain = KeychainUUID(try fields.data("keychain"))
            else { throw .damaged }
            self.keychain = keychain
            storageKeyPlace = try fields.number("storageKeyPlace")
            storageKeyName = try fields.data("storageKeyName")
            endorsementKeyName = try fields.data("endorsementKeyName")
            root = KeptObject(bytes: try fields.data("root"))
            for gate in try fields.array("gates") { gates.append(try GateRecord(gate)) }
            // One value, one encoding: a field too many is damage as well.
            guard storageKeyName.count == nameCount, [0, nameCount].contains(endorsementKeyName.count),
                Set(gates.map(\.id)).count == gates.count, try encoded() == bytes
            else { throw .damaged }
        }

        private static let version: Int64 = 1
    }

    /// An algorithm's number, and its SHA-256.
    private let nameCount = 34
#endif
