// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainIdentity
internal import KeychainModel
internal import KeychainSystem
internal import KeychainTools
internal import ProgramSigning

/// `llavero verify`: prints a program's signature, and whether its signer is trusted.
enum VerifyVerb: Verb {
    static let name = "verify"
    static let summary = "prints a program's signature, and whether it is valid"
    static let help = """
        usage: llavero verify [--signer FILE | --signers FOLDER] PROGRAM

        Prints the names in a program's signature, and whether it is valid; ends with 1 when it is not.

          --signer FILE      trusts only this signer: a public key in PEM, for any names, or a signer file (.plist)
          --signers FOLDER   trusts the signers of the files in this folder (/etc/llavero/signers.d)
        """

    static func run(_ words: ArraySlice<String>) throws(CommandError) {
        let options = try Options(words, single: ["--signer", "--signers"])
        let path = try options.operand("PROGRAM")
        let trust = try TrustedSigners(options)
        let file = try OpenFile(path)
        let bytes = try ProgramReading.bytes(of: file.descriptor, path)
        let program: SignedProgram
        do throws(SignatureFault) { program = try SignedProgram(in: bytes) } catch {
            throw .failure("\(path): \(error)")
        }
        show(program.statement)
        var reason = trust.refusal(of: program) ?? content(program)
        if reason == nil { reason = try interpreter(path) }
        if let reason {
            print("verdict: refused")
            // The output comes before the reason.
            fflush(nil)
            throw .failure("\(path): \(reason)")
        }
        print("verdict: valid")
    }

    private static func show(_ statement: ProgramStatement) {
        print("application-identifier: \(PlainText.shown(statement.applicationIdentifier))")
        for group in statement.keychainAccessGroups { print("keychain-access-group: \(PlainText.shown(group))") }
        for group in statement.applicationGroups { print("application-group: \(PlainText.shown(group))") }
        print("serial: \(statement.serial)")
        print("signer: \(Hexadecimal.digits(of: statement.signer))")
    }

    private static func content(_ program: SignedProgram) -> String? {
        do throws(SignatureFault) { try program.requireContent() } catch { return error.description }
        return nil
    }

    private static func interpreter(_ path: String) throws(CommandError) -> String? {
        guard try Interpreters.contains(OpenFile.resolved(path)) else { return nil }
        return "it is an interpreter, which can run any script"
    }
}

/// The signers that `verify` trusts.
private enum TrustedSigners {
    case key([UInt8])
    case signers(SignerTable)

    init(_ options: Options) throws(CommandError) {
        switch (options.value("--signer"), options.value("--signers")) {
        case (.some, .some): throw .usage("--signer and --signers cannot be used together")
        case (let file?, nil) where file.hasSuffix(".plist"): self = .signers(try TrustedSigners.signer(in: file))
        case (let file?, nil): self = .key(try SigningKey.readPublic(file))
        case (nil, let folder?):
            guard folder.hasPrefix("/") else { throw .usage("--signers requires an absolute path") }
            // The caller decides which signers to trust, so any folder is accepted.
            self = .signers(TrustedSigners.load(SignerFolder(path: folder, owners: TrustedOwners([0, geteuid()]))))
        case (nil, nil): self = .signers(TrustedSigners.load(SignerFolder(path: "/etc/llavero/signers.d")))
        }
    }

    /// Why the signature is not trusted; nil when it is.
    func refusal(of program: SignedProgram) -> String? {
        let publicKey: [UInt8]
        var refusal: SignerRefusal?
        switch self {
        case .key(let key): publicKey = key
        case .signers(let table):
            guard let signer = table.signer(program.statement.signer) else { return "not signed by a trusted signer" }
            publicKey = signer.publicKey
            refusal = signer.refusal(of: program.statement, user: geteuid())
        }
        do throws(SignatureFault) { try program.requireSignature(by: publicKey) } catch { return error.description }
        return refusal.map { "the signer may not grant these names: \($0)" }
    }

    private static func load(_ folder: SignerFolder) -> SignerTable {
        let table = folder.load()
        for report in table.reports { Tool.say("\(report.file) is not trusted: \(report.fault)") }
        return table
    }

    private static func signer(in path: String) throws(CommandError) -> SignerTable {
        let content = try OpenFile(path).content(limit: 64 << 10)
        let bytes = unsafe content.withUnsafeBytes { unsafe Array($0) }
        do throws(EntitlementFault) {
            return SignerTable(signers: [try ProgramSigner(parsing: bytes, file: path)], reports: [])
        } catch { throw .failure("\(path) is not a signer file: \(error)") }
    }
}
