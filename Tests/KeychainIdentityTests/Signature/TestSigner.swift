// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSystem

/// Somebody with a key, who signs what they are given.
struct TestSigner {
    private let seed: [UInt8]
    let publicKey: [UInt8]

    /// Different bytes make different signers.
    init(_ byte: UInt8 = 7) throws {
        seed = [UInt8](repeating: byte, count: 32)
        publicKey = try Ed25519.publicKey(of: TestSigner.secret(seed))
    }

    /// The program with a signature of theirs.
    func sign(
        _ program: [UInt8], identifier: String = "TEAM.client", groups: [String] = [],
        applicationGroups: [String] = [], serial: Int64 = 0
    ) throws -> [UInt8] {
        let request = SigningRequest(
            applicationIdentifier: identifier, keychainAccessGroups: groups, applicationGroups: applicationGroups,
            serial: serial)
        let key = TestSigner.secret(seed)
        let signing = try ProgramSigning(ProgramBytes(program), request, with: key, publicKey: publicKey)
        return signing.header + program[signing.kept] + signing.tail
    }

    private static func secret(_ bytes: [UInt8]) -> SecretBytes {
        SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    /// What a program's signature says, once it was found to be theirs and the program's.
    func statement(of program: [UInt8]) throws(SignatureFault) -> ProgramStatement {
        let signed = try SignedProgram(in: ProgramBytes(program))
        try signed.requireSignature(by: publicKey)
        try signed.requireContent()
        return signed.statement
    }

    /// Why there is none; nil when there is one.
    func fault(of program: [UInt8]) -> SignatureFault? {
        do throws(SignatureFault) {
            _ = try statement(of: program)
            return nil
        } catch { return error }
    }

    /// The file that believes them.
    func file(prefixes: [String] = ["TEAM."], _ more: KeyValuePairs<String, String> = [:]) -> String {
        let text = EntitlementText.text
        let entries: [(String, String)] =
            [("key", text(Base64.text(of: publicKey))), ("prefixes", EntitlementText.texts(prefixes))]
            + more.map { ($0.key, $0.value) }
        let content = entries.map { "<key>\($0.0)</key>\($0.1)" }.joined()
        return "<plist version=\"1.0\"><dict>\(content)</dict></plist>"
    }
}
