// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import Foundation
    internal import KeychainCrypto
    internal import KeychainEnclaveTPM
    internal import KeychainModel
    internal import TestProcesses
    internal import TestSwtpm
    internal import Testing

    /// A TPM of a test's own, and an enclave in it whose file lies beside it.
    struct TestEnclave {
        let tpm: SwtpmProcess
        let enclave: TPMEnclave
        /// What the root was when it was made.
        let binding: [UInt8]

        var path: String { tpm.folder + "/device.tpm" }

        /// With `prepare` the TPM gets ready for the worse.
        init(_ prepare: (SwtpmProcess) throws -> Void = { _ in }) throws {
            tpm = try SwtpmProcess()
            try prepare(tpm)
            enclave = TPMEnclave(path: tpm.folder + "/device.tpm", connection: tpm.connection)
            binding = try enclave.create(for: TestEnclave.keychain(1), TestEnclave.turn).binding
        }

        /// The same, with another enclave on the same file.
        init(_ other: TestEnclave, enclave: TPMEnclave) {
            tpm = other.tpm
            binding = other.binding
            self.enclave = enclave
        }

        /// The same file, reached by another way.
        func enclave(at connection: String, timeout: Int32 = EventLimit.milliseconds) -> TPMEnclave {
            TPMEnclave(path: path, connection: connection, timeout: timeout)
        }

        /// The same TPM with another file.
        func enclave(path: String) -> TPMEnclave { TPMEnclave(path: path, connection: tpm.connection) }

        var bytes: [UInt8] { get throws { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) } }

        func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

        func makeGate(_ key: UInt8, eraseAfter: UInt32 = 0) throws(EnclaveError) -> (id: GateID, secret: [UInt8]) {
            let gate = try enclave.makeGate(for: TestEnclave.key(key), eraseAfter: eraseAfter, TestEnclave.turn)
            return (gate.id, gate.secret.shown)
        }

        func open(_ gate: GateID, _ key: UInt8, at now: Double = 0) throws(EnclaveError) -> [UInt8] {
            try enclave.openGate(gate, with: TestEnclave.key(key), at: now, TestEnclave.turn).shown
        }

        func destroy(_ gate: GateID) throws(EnclaveError) { try enclave.destroyGate(gate, TestEnclave.turn) }

        static var turn: OwnerLock { OwnerLock(uncheckedHoldingOwnerLock: ()) }

        static func key(_ byte: UInt8) -> SecretBytes {
            SecretBytes(count: 32) { buffer in for index in buffer.indices { buffer[index] = byte &+ UInt8(index) } }
        }

        static func keychain(_ byte: UInt8) throws -> KeychainUUID {
            try #require(KeychainUUID([UInt8](repeating: byte, count: 16)))
        }
    }

    extension SecretBytes {
        /// The bytes, to be compared in a test.
        var shown: [UInt8] { withUnsafeBytes { Array($0) } }
    }

    /// The error of a call that must throw one.
    func failure<Result: ~Copyable>(_ body: () throws(EnclaveError) -> Result) -> EnclaveError? {
        do throws(EnclaveError) {
            _ = try body()
            return nil
        } catch { return error }
    }
#endif
