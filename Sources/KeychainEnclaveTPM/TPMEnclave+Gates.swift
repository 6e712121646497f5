// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import Glibc
    internal import KeychainCrypto
    package import KeychainEnclave
    package import KeychainModel

    extension TPMEnclave {
        package func makeGate(
            for key: borrowing SecretBytes, eraseAfter: UInt32, _ turn: borrowing OwnersTurn
        ) throws(EnclaveError) -> NewGate {
            let id = try GateID.random()
            let authorization = try Authorization(of: id, for: key)
            let secret = try SecretBytes.random32()
            try visit { visit throws(EnclaveError) in
                let index = try visit.freeIndex(for: id)
                var record = visit.record
                var gate = GateRecord(id: id, index: index.number, eraseAfter: eraseAfter)
                // First the number, then the index: whatever a crash leaves behind, the file knows of it.
                record.gates.append(gate)
                try file.write(record)
                do throws(Refusal) {
                    gate.state = .made(try visit.make(index, gate, sealing: secret, for: authorization))
                } catch {
                    // What cannot be undone now is listed by `gates`, and destroyed like any other.
                    if (try? index.undefine(in: visit.chip)) != nil { try? file.write(visit.record) }
                    throw EnclaveError(error)
                }
                record.gates[record.gates.count - 1] = gate
                try file.write(record)
            }
            return NewGate(id: id, secret: secret)
        }

        package func openGate(
            _ gate: GateID, with key: borrowing SecretBytes, at now: Double, _ turn: borrowing OwnersTurn
        ) throws(EnclaveError) -> SecretBytes {
            guard now.isFinite else { throw .failed(Int64(EINVAL)) }
            let authorization = try Authorization(of: gate, for: key)
            return try visit { visit throws(EnclaveError) in
                guard let position = visit.record.position(of: gate) else { throw .noSuchGate }
                var attempt = GateAttempt(visit: visit, file: file, position: position, now: now)
                return try attempt.open(with: authorization)
            }
        }

        package func destroyGate(_ gate: GateID, _ turn: borrowing OwnersTurn) throws(EnclaveError) {
            try visit { visit throws(EnclaveError) in
                var record = visit.record
                guard let position = record.position(of: gate) else { return }
                let index = GateIndex(record.gates[position])
                // The index first: without it no copy of the file opens the gate, and the file still knows its number.
                try EnclaveError.translating { () throws(Refusal) in try index.undefine(in: visit.chip) }
                record.gates.remove(at: position)
                try file.write(record)
            }
        }

        package func gates() throws(EnclaveError) -> [GateStanding] {
            try visit { visit throws(EnclaveError) in
                var standings: [GateStanding] = []
                for var gate in visit.record.gates {
                    if case .made = gate.state {
                        let tries = try EnclaveError.translating { () throws(Refusal) in
                            let index = GateIndex(gate)
                            return try index.find(in: visit.chip).flatMap { (handle) throws(Refusal) in
                                try index.tries(in: visit.chip, at: handle)
                            }
                        }
                        gate.failures = max(gate.failures, tries?.failures ?? 0)
                    }
                    standings.append(gate.standing)
                }
                return standings
            }
        }
    }

    extension EnclaveVisit {
        /// A number that neither the TPM nor the file knows an index under.
        fileprivate func freeIndex(for gate: GateID) throws(EnclaveError) -> GateIndex {
            for _ in 0..<16 {
                let number = try GateIndex.randomNumber()
                let isTaken = try EnclaveError.translating { () throws(Refusal) in
                    try chip.object(at: number) != nil
                }
                if isTaken || record.gates.contains(where: { $0.index == number }) { continue }
                return GateIndex(number: number, gate: gate)
            }
            throw .failed(Int64(ENOSPC))
        }

        /// Makes the index and the object whose policy needs it.
        fileprivate func make(
            _ index: GateIndex, _ gate: GateRecord, sealing secret: borrowing SecretBytes,
            for authorization: borrowing Authorization
        ) throws(Refusal) -> KeptObject {
            let session = try chip.startSession(.authorization, under: storageKey)
            try index.define(
                in: chip, for: authorization, limit: gate.eraseAfter == 0 ? greatestLimit : gate.eraseAfter, session)
            return try chip.seal(
                secret, .sealed(for: index.policy()), for: authorization, under: storageKey, in: session)
        }
    }

    /// How many wrong passcodes in a row the chip itself takes at most.
    private let greatestLimit: UInt32 = 100
#endif
