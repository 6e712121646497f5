// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
internal import KeychainModel
internal import ProgramSigning

/// A program whose signature is looked for, and which is then signed: nobody vouches for the file in either case.
internal enum SignedProgramFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        let isRead = try checkRead(bytes)
        guard let signed = sign(bytes) else { return isRead ? .accepted : .refused }
        guard let program = try? SignedProgram(in: ProgramBytes(signed)) else {
            throw BrokenPromise("what was signed can be read")
        }
        try promise(
            program.statement.applicationIdentifier == "TEAM.fuzz" && program.statement.serial == 1,
            "a statement says what was signed")
        try promise(holds(program), "what was signed is valid")
        try promise(sign(signed) == signed, "signing again changes nothing")
        return .accepted
    }

    private static func checkRead(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
        guard let program = try? SignedProgram(in: ProgramBytes(bytes)) else { return false }
        let statement = program.statement
        try promise(statement.names.allSatisfy(ProgramStatement.isName), "names can be shown")
        try promise(statement.serial >= 0 && statement.length <= bytes.count, "numbers are those of a program")
        // What the right key signed holds only of the same bytes; the first ones tell of sections, which may change.
        if holds(program) { try promise(statement.length >= 64, "a header is always covered") }
        return true
    }

    private static func holds(_ program: SignedProgram) -> Bool {
        do {
            try program.requireSignature(by: ProgramSeeds.publicKey())
            try program.requireContent()
            return true
        } catch { return false }
    }

    /// Nil when it is no program that can be signed.
    private static func sign(_ bytes: [UInt8]) -> [UInt8]? { try? ProgramSeeds.sign(bytes) }
}
