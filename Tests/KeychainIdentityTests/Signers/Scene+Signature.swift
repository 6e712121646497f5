// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainIdentity
internal import KeychainSystem
internal import TestPrograms

extension Scene {
    /// Puts a program where it can be started, in the place of what is there, as an upgrade does it.
    func install(_ bytes: [UInt8], as name: String, mode: Int = 0o755) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: folder.file("content")))
        // The copy takes the name only once it is whole; a program that runs keeps the file it has.
        let program = try folder.copy(folder.file("content"), as: "\(name).new", mode: mode)
        guard rename(program, folder.file(name)) == 0 else { throw POSIXError(.EIO) }
        return folder.file(name)
    }

    /// Believes a signer.
    func believe(_ file: String, as name: String = "signer.plist") throws {
        if !FileManager.default.fileExists(atPath: folder.file("signers.d")) { try folder.makeFolder("signers.d") }
        try folder.write(file, to: "signers.d/\(name)")
    }

    /// Who a peer is by the entitlement files and the signers there are now.
    func identifySigned(
        _ peer: Peer, owners: TrustedOwners = TrustedFolder.owners,
        _ digests: ImageDigests = ImageDigests(owners: TrustedFolder.owners)
    ) throws -> ProgramIdentity {
        let table = EntitlementFolder(path: folder.path, owners: TrustedFolder.owners).load()
        let signers = SignerFolder(path: folder.file("signers.d"), owners: TrustedFolder.owners).load()
        let reports = table.reports + signers.reports
        guard reports.isEmpty else { throw Refused(reports: reports) }
        let policy = IdentityPolicy(owners: owners)
        return try ProgramIdentifier(table: table, signers: signers, policy: policy, digests: digests).identify(peer)
    }
}

extension TestSigner {
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
