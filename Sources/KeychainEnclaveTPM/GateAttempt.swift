// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import KeychainEnclave
    internal import KeychainModel

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
        mutating func open(with authorization: borrowing Authorization) throws(EnclaveError) -> SecretBytes {
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
            // Before the attempt is counted: a damaged object is nobody's failure.
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
            // When the last one was, nobody knows any more; so the delay begins now.
            gate.lastFailure = now
            try file.write(record)
        }

        /// Throws as long as the delay after the last failure runs.
        private mutating func wait() throws(EnclaveError) {
            let left = AttemptDelay.remaining(of: gate.standing, at: now)
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
            _ sealed: ESYS_TR, with found: ESYS_TR, _ authorization: borrowing Authorization
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
#endif
