// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import Glibc
    package import KeychainCrypto
    package import KeychainModel

    extension TPMEnclave {
        package func makeGate(
            for key: borrowing SecretBytes, eraseAfter: UInt32, _ turn: borrowing OwnerLock
        ) throws(EnclaveError) -> NewGate {
            let id = try GateID.random()
            let authorization = try ChipAuthorization(of: id, for: key)
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
            _ gate: GateID, with key: borrowing SecretBytes, at now: Double, _ turn: borrowing OwnerLock
        ) throws(EnclaveError) -> SecretBytes {
            guard now.isFinite else { throw .failed(Int64(EINVAL)) }
            let authorization = try ChipAuthorization(of: gate, for: key)
            return try visit { visit throws(EnclaveError) in
                guard let position = visit.record.position(of: gate) else { throw .noSuchGate }
                var attempt = GateAttempt(visit: visit, file: file, position: position, now: now)
                return try attempt.open(with: authorization)
            }
        }

        package func destroyGate(_ gate: GateID, _ turn: borrowing OwnerLock) throws(EnclaveError) {
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

        package func gates() throws(EnclaveError) -> [GateState] {
            try visit { visit throws(EnclaveError) in
                var standings: [GateState] = []
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
                    standings.append(gate.gateState)
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
            for authorization: borrowing ChipAuthorization
        ) throws(Refusal) -> KeptObject {
            let session = try chip.startSession(.authorization, under: storageKey)
            try index.define(
                in: chip, for: authorization, limit: gate.eraseAfter == 0 ? greatestLimit : gate.eraseAfter, session)
            return try chip.seal(
                secret, .sealed(for: index.policy()), for: authorization, under: storageKey, in: session)
        }
    }

    /// One try at a gate.
    struct GateAttempt {
        private let visit: EnclaveVisit
        private let file: DeviceFile
        private let now: Double
        private let position: Int
        private var record: DeviceRecord

        init(visit: EnclaveVisit, file: DeviceFile, position: Int, now: Double) {
            self.visit = visit
            self.file = file
            self.now = now
            self.position = position
            record = visit.record
        }

        /// The gate's secret; counts durably before it asks the chip.
        mutating func open(with authorization: borrowing ChipAuthorization) throws(EnclaveError) -> SecretBytes {
            let object: KeptObject
            switch gate.state {
            case .erased: throw .gateErased
            case .intended: throw .noSuchGate
            case .made(let made): object = made
            }
            let found = try EnclaveError.translating { () throws(Refusal) in try index.find(in: visit.chip) }
            guard let found else { throw .noSuchGate }
            let tries = try EnclaveError.translating { () throws(Refusal) in
                try index.tries(in: visit.chip, at: found)
            }
            try takeOver(tries)
            try wait()
            // Before the attempt is counted: a damaged object is not a wrong passcode.
            let sealed = try load(object)

            let before = record
            gate.failures = gate.failures == .max ? .max : gate.failures + 1
            gate.lastFailure = now
            try file.write(record)
            let secret: SecretBytes
            do throws(Refusal) {
                secret = try unseal(sealed, with: found, authorization)
            } catch {
                if error.isWrongAuthorization { throw try wrong() }
                if error.isExhausted { throw try exhausted() }
                // The chip did not say that the passcode is wrong. If it has counted nevertheless, its own number stands
                // the next time; where its owner keeps that to himself, the file's has to.
                if tries != nil { try? file.write(before) }
                throw EnclaveError(error)
            }
            gate.failures = 0
            gate.lastFailure = 0
            try file.write(record)
            return secret
        }

        private var gate: GateRecord {
            get { record.gates[position] }
            set { record.gates[position] = newValue }
        }

        private var index: GateIndex { GateIndex(gate) }

        /// The chip's own number stands when it is the greater: then the file is an older copy of itself.
        private mutating func takeOver(_ tries: (failures: UInt32, limit: UInt32)?) throws(EnclaveError) {
            guard let tries else { return }
            guard tries.failures < tries.limit else { throw try exhausted() }
            guard tries.failures > gate.failures else { return }
            gate.failures = tries.failures
            // The time of the last one is unknown, so the delay begins now.
            gate.lastFailure = now
            try file.write(record)
        }

        /// Throws as long as the delay after the last failure runs.
        private mutating func wait() throws(EnclaveError) {
            let left = AttemptDelay.remaining(of: gate.gateState, at: now)
            guard left > 0 else { return }
            if now < gate.lastFailure {
                // The clock was set back. The delay runs again from here, and ends by this clock.
                gate.lastFailure = now
                try file.write(record)
            }
            throw .mustWait(left)
        }

        private func load(_ object: KeptObject) throws(EnclaveError) -> ESYS_TR {
            do throws(Refusal) {
                return try visit.chip.load(object, like: .sealed(for: index.policy()), under: visit.storageKey).handle
            } catch { throw error.isAboutContent ? .damaged : EnclaveError(error) }
        }

        private func unseal(
            _ sealed: ESYS_TR, with found: ESYS_TR, _ authorization: borrowing ChipAuthorization
        ) throws(Refusal) -> SecretBytes {
            let chip = visit.chip
            // Two sessions: the one in which the index is asked cannot be the one whose policy it satisfies.
            let policy = try chip.startSession(.policy, under: visit.storageKey)
            let session = try chip.startSession(.authorization, under: visit.storageKey)
            try chip.satisfy(policy, with: found, authorization, session)
            try chip.setAuthorization(authorization, of: sealed)
            return try chip.unseal(sealed, in: policy)
        }

        private mutating func wrong() throws(EnclaveError) -> EnclaveError {
            guard gate.eraseAfter != 0, gate.failures >= gate.eraseAfter else {
                return .wrongPasscode(
                    failures: gate.failures, wait: AttemptDelay.seconds(afterFailures: gate.failures))
            }
            return try erase()
        }

        private mutating func exhausted() throws(EnclaveError) -> EnclaveError {
            gate.eraseAfter == 0 ? .gateExhausted : try erase()
        }

        private mutating func erase() throws(EnclaveError) -> EnclaveError {
            let index = index
            gate.state = .erased
            try file.write(record)
            // If the chip refuses, `destroyGate` will try again; without its object the index opens nothing.
            try? index.undefine(in: visit.chip)
            return .gateErased
        }
    }

    /// How many wrong passcodes in a row the chip itself takes at most.
    private let greatestLimit: UInt32 = 100
#endif
