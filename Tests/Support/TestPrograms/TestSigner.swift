// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
package import ProgramSigning

/// Somebody with a key, who signs what they are given.
package struct TestSigner: Sendable {
    private let seed: [UInt8]
    package let publicKey: [UInt8]

    /// Different bytes make different signers.
    package init(_ byte: UInt8 = 7) throws {
        seed = [UInt8](repeating: byte, count: 32)
        publicKey = try Ed25519.publicKey(of: TestSigner.secret(seed))
    }

    /// The program with a signature of theirs.
    package func sign(
        _ program: [UInt8], identifier: String = "TEAM.client", groups: [String] = [],
        applicationGroups: [String] = [], serial: Int64 = 0
    ) throws -> [UInt8] {
        let request = SigningRequest(
            applicationIdentifier: identifier, keychainAccessGroups: groups, applicationGroups: applicationGroups,
            serial: serial)
        let key = TestSigner.secret(seed)
        let signing = try SignedFile(ProgramBytes(program), request, with: key, publicKey: publicKey)
        return signing.header + program[signing.kept] + signing.tail
    }

    private static func secret(_ bytes: [UInt8]) -> SecretBytes {
        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// What a program's signature says, once it was found to be theirs and the program's.
    package func statement(of program: [UInt8]) throws(SignatureFault) -> ProgramStatement {
        let signed = try SignedProgram(in: ProgramBytes(program))
        try signed.requireSignature(by: publicKey)
        try signed.requireContent()
        return signed.statement
    }

    /// Why there is none; nil when there is one.
    package func fault(of program: [UInt8]) -> SignatureFault? {
        do throws(SignatureFault) {
            _ = try statement(of: program)
            return nil
        } catch { return error }
    }
}
