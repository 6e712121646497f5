// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import KeychainCrypto
import KeychainEnclaveSoftware
import KeychainEnclaveTPM
import KeychainModel
import TestProcesses

/// Everything secret that a keychain's files and its passcode give, in ordinary memory: for searching another process.
///
/// It opens the keybag in its own way, so that a mistake of the keybag's does not hide the keys from the search.
struct ExposedKeys {
    /// Both keys of every class, by the class's name.
    private(set) var classKeys: [String: [Needle]] = [:]
    /// What leads to them: the device root, the gate's secret, and what scrypt makes of the passcode; and the factor that
    /// is there only while somebody who gave it is served.
    private(set) var roots: [Needle] = []

    /// `tpm` is how to reach the one the keychain is kept by, if it is.
    init(login: String, tpm: String?, passcode: [UInt8]) throws {
        let file = FileBytes.read(login + "/keybag.copy")
        guard let payload = try TwinRecord.decode(file, magic: Array("LLAVEBAG".utf8)),
            case .dictionary(let fields) = try PropertyList(decoding: payload.bytes),
            case .data(let header) = fields["header"], case .array(let records) = fields["records"],
            let parameters = try LockedKeybag(decoding: file).header.passcode
        else { throw Trouble("no keybag with a passcode") }
        let stretched = try Self.bytes(64) { output in
            try passcode.withUnsafeBytes { passcode in
                try KeyDerivation.scrypt(
                    passcode: passcode, salt: parameters.salt, log2N: parameters.cost.log2N, r: parameters.cost.r,
                    p: parameters.cost.p, into: output)
            }
        }
        let enclave: any Enclave =
            tpm.map { TPMEnclave(path: login + "/device.tpm", connection: $0) }
            ?? SoftwareEnclave(path: login + "/device.key")
        let gateKey = SecretBytes(count: 32) { $0.copyBytes(from: stretched[..<32]) }
        let gate = try enclave.openGate(
            parameters.gate, with: gateKey, at: Date().timeIntervalSinceReferenceDate,
            OwnerLock(uncheckedHoldingOwnerLock: ()))
        let root = try enclave.deviceRoot().key.withUnsafeBytes { Array($0) }
        let gateSecret = gate.withUnsafeBytes { Array($0) }
        roots = [
            Needle("the device root", root), Needle("the gate's secret", gateSecret),
            Needle("the stretched passcode for the gate", Array(stretched[..<32])),
            Needle("the stretched passcode for the keybag", Array(stretched[32...])),
        ]
        let secrets: [Int64: [UInt8]] = [1: root, 2: root + gateSecret + stretched[32...]]
        for record in records {
            guard case .dictionary(let record) = record, case .number(let slot) = record["slot"],
                case .number(let number) = record["class"], case .data(let wrapped) = record["key"]
            else { throw Trouble("a record is none") }
            guard let secret = secrets[slot] else { continue }
            var info = Array("llavero keybag".utf8) + [3, UInt8(slot), UInt8(number)]
            if case .number(let generation) = record["generation"], case .data(let id) = record["id"] {
                info += (0..<4).map { UInt8(truncatingIfNeeded: generation >> (24 - 8 * $0)) } + id
            }
            if case .number(let factor)? = record["factor"] { info.append(UInt8(factor)) }
            let both = try Self.unwrap(wrapped, secret, header, info)
            if number == 1 { roots.append(Needle("the passcode's factor", both)) }
            guard let accessibility = Accessibility(rawValue: UInt8(number)) else { continue }
            classKeys[accessibility.name, default: []] += [
                Needle("the secret key of \(accessibility.name)", Array(both[..<32])),
                Needle("the metadata key of \(accessibility.name)", Array(both[32...])),
            ]
        }
    }

    private static func unwrap(
        _ wrapped: [UInt8], _ secret: [UInt8], _ header: [UInt8], _ info: [UInt8]
    ) throws -> [UInt8] {
        let salt = try header.withUnsafeBytes { try Digest.sha256($0) }
        let key = try bytes(32) { output in
            try secret.withUnsafeBytes { try KeyDerivation.hkdf(secret: $0, salt: salt, info: info, into: output) }
        }
        let wrap = try key.withUnsafeBytes { try KeyWrap(key: $0) }
        return try bytes(wrapped.count - KeyWrap.overhead) { output in
            try wrapped.withUnsafeBytes { try wrap.unwrap($0, into: output) }
        }
    }

    private static func bytes(
        _ count: Int, filling fill: (UnsafeMutableRawBufferPointer) throws -> Void
    ) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { try fill($0) }
        return bytes
    }
}
