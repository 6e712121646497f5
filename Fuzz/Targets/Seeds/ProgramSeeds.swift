// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import ProgramSigning

/// The smallest programs that can be signed, as bytes: they would not run.
internal enum ProgramSeeds {
    static func all() throws -> [[UInt8]] {
        try [program(), sign(program()), sign(program(), groups: ["TEAM.a", "TEAM.b"]), sign(program() + [1, 2, 3])]
    }

    static func sign(_ program: [UInt8], groups: [String] = []) throws -> [UInt8] {
        let request = SigningRequest(
            applicationIdentifier: "TEAM.fuzz", keychainAccessGroups: groups, applicationGroups: [], serial: 1)
        let signing = try SignedFile(ProgramBytes(program), request, with: key(), publicKey: publicKey())
        return signing.header + program[signing.kept] + signing.tail
    }

    static func publicKey() throws -> [UInt8] { try Ed25519.publicKey(of: key()) }

    private static func key() -> SecretBytes {
        SecretBytes(count: 32) { $0.initializeMemory(as: UInt8.self, repeating: 7) }
    }

    /// A header, two segments (all of it; the dynamic loader's name), the name, names of sections, two sections.
    private static func program() -> [UInt8] {
        let interpreter = Array("/lib/ld.so\0".utf8)
        let names = Array("\0.shstrtab\0".utf8)
        let end = 64 + 2 * 56 + interpreter.count
        let namesEnd = end + names.count
        let table = (namesEnd + 7) / 8 * 8
        let header: [UInt8] =
            [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0] + number(0, 8) + number(3, 2) + number(62, 2) + number(1, 4)
            + number(0, 8) + number(64, 8) + number(table, 8) + number(0, 4) + number(64, 2) + number(56, 2)
            + number(2, 2) + number(64, 2) + number(2, 2) + number(1, 2)
        let segments =
            segment(kind: 1, at: 0, count: end)
            + segment(kind: 3, at: end - interpreter.count, count: interpreter.count)
        let padding = [UInt8](repeating: 0, count: table - namesEnd)
        let sections =
            number(0, 64) + number(1, 4) + number(3, 4) + number(0, 16) + number(end, 8) + number(names.count, 8)
            + number(0, 8) + number(1, 8) + number(0, 8)
        return header + segments + interpreter + names + padding + sections
    }

    private static func segment(kind: Int, at offset: Int, count: Int) -> [UInt8] {
        number(kind, 4) + number(5, 4) + number(offset, 8) + number(offset, 8) + number(offset, 8) + number(count, 8)
            + number(count, 8) + number(1, 8)
    }

    private static func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 }
    }
}
