// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import KeychainCoding
    internal import KeychainEnclave

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

        var standing: GateStanding {
            GateStanding(id: id, failures: failures, lastFailure: lastFailure, isErased: state == .erased)
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
            let fields = try RecordFields(value)
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
#endif
