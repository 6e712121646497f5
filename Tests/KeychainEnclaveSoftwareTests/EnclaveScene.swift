// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainEnclaveSoftware
import KeychainModel
import TestProcesses

/// The two software enclaves, for what holds of both.
enum EnclaveScene: CaseIterable, Sendable {
    case file
    case memory

    /// A new one, in a folder that the test keeps.
    func make(in folder: TestFolder) throws(EnclaveError) -> any Enclave {
        switch self {
        case .memory: try MemoryEnclave()
        case .file: try EnclaveFile(in: folder).enclave
        }
    }
}

/// A device key file of a new keychain.
struct EnclaveFile: Sendable {
    let folder: TestFolder
    let path: String

    init() throws {
        try self.init(in: TestFolder())
    }

    init(in folder: TestFolder) throws(EnclaveError) {
        self.folder = folder
        let count = TestFolder.names(in: folder.path)?.count ?? 0
        path = folder.file(count == 0 ? "device.key" : "device\(count).key")
        guard let keychain = KeychainUUID(Self.keychain) else { throw .damaged }
        _ = try SoftwareEnclave(path: path).create(for: keychain)
    }

    /// Another object each time: nothing is in it but the path.
    var enclave: SoftwareEnclave { SoftwareEnclave(path: path) }

    static let keychain = [UInt8](0x20..<0x30)
}

extension SecretBytes {
    /// The key of 32 equal bytes: what tests take for a stretched passcode.
    static func key(_ byte: UInt8) -> SecretBytes {
        SecretBytes(count: 32) { $0.copyBytes(from: [UInt8](repeating: byte, count: 32)) }
    }

    var array: [UInt8] { withUnsafeBytes { Array($0) } }
}

// The protocol in terms of arrays, which tests can compare. A passcode is the byte its key is made of.
extension Enclave {
    func root() throws(EnclaveError) -> [UInt8] { try deviceRoot().key.array }

    func binding() throws(EnclaveError) -> [UInt8] { try deviceRoot().binding }

    func makeGate(_ passcode: UInt8, eraseAfter: UInt32 = 0) throws(EnclaveError) -> (id: GateID, secret: [UInt8]) {
        let gate = try makeGate(
            for: .key(passcode), eraseAfter: eraseAfter, OwnerLock(uncheckedHoldingOwnerLock: ()))
        return (gate.id, gate.secret.array)
    }

    func open(_ gate: GateID, _ passcode: UInt8, at now: Double = 0) throws(EnclaveError) -> [UInt8] {
        try openGate(gate, with: .key(passcode), at: now, OwnerLock(uncheckedHoldingOwnerLock: ())).array
    }

    func destroy(_ gate: GateID) throws(EnclaveError) {
        try destroyGate(gate, OwnerLock(uncheckedHoldingOwnerLock: ()))
    }

    func state(of gate: GateID) throws(EnclaveError) -> GateState? { try gates().first { $0.id == gate } }

    func shared(_ key: EnclaveKey, _ publicKey: [UInt8]) throws(EnclaveError) -> [UInt8] {
        try sharedSecret(of: key, with: publicKey).array
    }
}
