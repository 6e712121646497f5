// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CLinux
    internal import Glibc
    internal import KeychainCoding
    internal import KeychainCrypto
    internal import KeychainModel
    internal import KeychainSystem

    /// The file of a TPM's enclave: its record, twice.
    struct DeviceFile: Sendable {
        let path: String

        struct Content: Sendable {
            let record: DeviceRecord
            /// Whether one of the two copies is damaged.
            let isHalfDamaged: Bool
        }

        func read() throws(EnclaveError) -> Content {
            let bytes = try readBytes()
            guard let payload = try? TwinRecord.decode(bytes, magic: DeviceFile.magic) else {
                throw .damaged
            }
            return Content(record: try DeviceRecord(decoding: payload.bytes), isHalfDamaged: payload.isHalfDamaged)
        }

        /// Puts the record on the disk, in place of the one before.
        func write(_ record: DeviceRecord) throws(EnclaveError) {
            let payload = try record.encoded()
            let bytes: [UInt8]
            do throws(KeybagError) { bytes = try TwinRecord.encode(payload, magic: DeviceFile.magic) } catch {
                throw .failed(Int64(EIO))
            }
            do throws(ReplacementFailure) { try FileReplacement.replace(path, with: bytes, as: .fixed) } catch {
                throw .unreadable(error.code)
            }
        }

        /// Whether there is anything of that name.
        func exists() throws(EnclaveError) -> Bool {
            var status = llv_file_status()
            switch unsafe llv_read_file_status(path, &status) {
            case 0: return true
            case ENOENT: return false
            case let failure: throw .unreadable(failure)
            }
        }

        private func readBytes() throws(EnclaveError) -> [UInt8] {
            let file = try EnclaveFile(path)
            guard file.size > 0, file.size <= DeviceFile.largest else { throw .damaged }
            return try unsafe [UInt8](count: file.size) { (buffer) throws(EnclaveError) in
                try unsafe file.read(into: buffer)
            }
        }

        private static let magic = Array("LLAVETPM".utf8)
        private static let largest = 1 << 20
    }

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
            let fields = try DeviceFields(value)
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

    /// A gate in the file.
    struct GateRecord: Sendable, Equatable {
        let id: GateID
        /// The number of its index in the TPM.
        let index: UInt32
        let eraseAfter: UInt32
        var failures: UInt32 = 0
        var lastFailure: Double = 0
        var state = State.intended

        enum State: Sendable, Equatable {
            /// About to be made: the index may exist. What a crash leaves while a gate is made looks like this.
            case intended
            /// Made; its secret is sealed in the object.
            case made(KeptObject)
            /// Erased after too many failures: the index may still exist.
            case erased
        }

        var gateState: GateState {
            GateState(id: id, failures: failures, lastFailure: lastFailure, isErased: state == .erased)
        }
    }

    extension GateRecord {
        var fields: PropertyList {
            var fields: [String: PropertyList] = [
                "id": .data(id.bytes),
                "index": .number(Int64(index)),
                "eraseAfter": .number(Int64(eraseAfter)),
                "failures": .number(Int64(failures)),
                "lastFailure": .number(Int64(bitPattern: lastFailure.bitPattern)),
            ]
            switch state {
            case .intended: fields["state"] = .number(0)
            case .made(let object):
                fields["state"] = .number(1)
                fields["object"] = .data(object.bytes)
            case .erased: fields["state"] = .number(2)
            }
            return .dictionary(fields)
        }

        init(_ value: PropertyList) throws(EnclaveError) {
            let fields = try DeviceFields(value)
            guard let id = GateID(try fields.data("id")) else { throw .damaged }
            self.id = id
            index = try fields.number("index")
            eraseAfter = try fields.number("eraseAfter")
            failures = try fields.number("failures")
            lastFailure = Double(bitPattern: UInt64(bitPattern: try fields.number("lastFailure") as Int64))
            guard lastFailure.isFinite else { throw .damaged }
            switch try fields.number("state") as UInt32 {
            case 0: state = .intended
            case 1: state = .made(KeptObject(bytes: try fields.data("object")))
            case 2: state = .erased
            default: throw .damaged
            }
        }
    }

    /// A dictionary of the file, read field by field; a missing or misplaced field is damage.
    struct DeviceFields {
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

    /// An algorithm's number, and its SHA-256.
    private let nameCount = 34
#endif
