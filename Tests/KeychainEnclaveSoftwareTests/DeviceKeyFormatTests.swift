// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import KeychainEnclaveSoftware
import TestProcesses
import Testing

/// The bytes of the file, as Docs/FileFormat.md has them.
@Suite struct DeviceKeyFormatTests {
    @Test("a file is a mark and twice a payload with its digest", arguments: [0, 1, 2, 16])
    func layout(gateCount: Int) throws {
        let file = try EnclaveFile()
        let gates = try (0..<gateCount).map { try file.enclave.makeGate(UInt8($0 + 1), eraseAfter: 0x0102_0304) }
        if let gate = gates.last {
            for _ in 1...3 { #expect(throws: EnclaveError.self) { try file.enclave.open(gate.id, 99, at: -2.5) } }
        }
        let bytes = try FileBytes.read(file.path)
        let size = 49 + 81 * gateCount
        #expect(bytes.count == 8 + 2 * (size + 32))
        #expect(bytes.prefix(8).elementsEqual("LLAVEKY2".utf8))
        let payload = Array(bytes[8..<8 + size])
        #expect(bytes.suffix(size + 32).elementsEqual(bytes[8..<8 + size + 32]))
        #expect(try DeviceKeyBytes.digest(payload) == Array(bytes.suffix(32)))
        #expect(payload.prefix(16).elementsEqual(EnclaveFile.keychain))
        #expect(try payload[16..<48].elementsEqual(file.enclave.root()))
        #expect(payload[48] == gateCount)
        for (index, gate) in gates.enumerated() {
            let entry = Array(payload[(49 + 81 * index)...].prefix(81))
            #expect(entry.prefix(16).elementsEqual(gate.id.bytes))
            #expect(entry[16..<48].elementsEqual(gate.secret))
            #expect(try Array(entry[48..<64]) == verifier(gate.secret, UInt8(index + 1)))
            let isLast = index == gateCount - 1
            #expect(Array(entry[64..<72]) == [1, 2, 3, 4, 0, 0, 0, isLast ? 3 : 0])
            // -2.5 is C004… in a double.
            #expect(Array(entry[72...]) == (isLast ? [0xC0, 4] : [0, 0]) + [0, 0, 0, 0, 0, 0, 0])
        }
    }

    @Test("nothing of an erased or destroyed gate is left in the file")
    func erased() throws {
        let file = try EnclaveFile()
        let gate = try file.enclave.makeGate(1, eraseAfter: 1)
        let entry = Array(try FileBytes.read(file.path)[57..<138])
        #expect(throws: EnclaveError.gateErased) { try file.enclave.open(gate.id, 2, at: 0) }
        let bytes = try FileBytes.read(file.path)
        let zeros = [UInt8](repeating: 0, count: 48)
        let numbers: [UInt8] = [0, 0, 0, 1, 0, 0, 0, 1]
        let expected = Array(entry[..<16]) + zeros + numbers + Array(zeros[..<8]) + [1]
        #expect(Array(bytes[57..<138]) == expected)
        #expect(!contains(bytes, Array(entry[16..<48])) && !contains(bytes, Array(entry[48..<64])))
        try file.enclave.destroy(gate.id)
        #expect(try FileBytes.read(file.path).count == 170)
    }

    @Test("bytes that no writer writes are damage, whatever their digest", arguments: DeviceKeyBytes.unwritten.indices)
    func unwritten(row: Int) throws {
        let file = try EnclaveFile()
        _ = (try file.enclave.makeGate(1), try file.enclave.makeGate(2))
        let bytes = try DeviceKeyBytes(FileBytes.read(file.path))
        #expect(try bytes.file == FileBytes.read(file.path))
        var changed = bytes
        DeviceKeyBytes.unwritten[row](&changed.payload)
        try FileBytes.write(changed.file, to: file.path)
        #expect(throws: EnclaveError.damaged) { try file.enclave.root() }
        #expect(throws: EnclaveError.damaged) { try file.enclave.gates() }
    }

    private func verifier(_ secret: [UInt8], _ passcode: UInt8) throws -> [UInt8] {
        let both = secret + [UInt8](repeating: passcode, count: 32)
        return try both.lendingBytes { (both) throws(CryptoError) in
            try [UInt8](count: 16) { (output) throws(CryptoError) in
                try KeyDerivation.hkdf(
                    secret: both, salt: [], info: Array("llavero gate verifier".utf8), into: output)
            }
        }
    }

    private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
        (0...bytes.count - part.count).contains { bytes[$0...].starts(with: part) }
    }
}

/// A file of version 2 whose payload can be changed, with digests that hold.
struct DeviceKeyBytes {
    var payload: [UInt8]

    init(_ file: [UInt8]) { payload = Array(file[8..<8 + (file.count - 8) / 2 - 32]) }

    var file: [UInt8] {
        get throws(CryptoError) {
            let copy = payload + (try Self.digest(payload))
            return Array("LLAVEKY2".utf8) + copy + copy
        }
    }

    static func digest(_ payload: [UInt8]) throws(CryptoError) -> [UInt8] {
        try payload.lendingBytes { (payload) throws(CryptoError) in try Digest.sha256(payload) }
    }

    /// Changes to the payload of two gates that make it one that is never written.
    static let unwritten: [@Sendable (inout [UInt8]) -> Void] = [
        // A root of zeros.
        { $0.replaceSubrange(16..<48, with: [UInt8](repeating: 0, count: 32)) },
        // One gate too few, and one too many.
        { $0[48] = 1 },
        { $0[48] = 3 },
        { $0[48] = 255 },
        // Two gates of one name.
        { $0.replaceSubrange(130..<146, with: $0[49..<65]) },
        // A secret of zeros that is not erased.
        { $0.replaceSubrange(65..<97, with: [UInt8](repeating: 0, count: 32)) },
        // Erased, but for the secret and the verifier.
        { $0[129] = 1 },
        // Erased, but for the verifier.
        {
            $0[129] = 1
            $0.replaceSubrange(65..<97, with: [UInt8](repeating: 0, count: 32))
        },
        { $0[129] = 2 },
        // No number, and no end.
        { $0.replaceSubrange(121..<129, with: [0x7F, 0xF8, 0, 0, 0, 0, 0, 0]) },
        { $0.replaceSubrange(121..<129, with: [0xFF, 0xF0, 0, 0, 0, 0, 0, 0]) },
    ]
}
