// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainIdentity

extension Scene {
    /// Writes an entitlement file beside the programs.
    func list(
        _ match: KeyValuePairs<String, String>, identifier: String = "TEAM.client", as name: String = "client.plist"
    ) throws {
        try folder.write(EntitlementText.rule(match, identifier: identifier), to: name)
    }

    /// Who a peer is by the files there are now.
    func identify(
        _ peer: Peer, _ policy: IdentityPolicy = IdentityPolicy(owners: TrustedFolder.owners)
    ) throws -> ProgramIdentity {
        let table = EntitlementFolder(path: folder.path, owners: TrustedFolder.owners).load()
        guard table.reports.isEmpty else { throw Refused(reports: table.reports) }
        let digests = ImageDigests(owners: TrustedFolder.owners)
        return try ProgramIdentifier(table: table, policy: policy, digests: digests).identify(peer)
    }

    /// An entitlement file of the test's own was refused.
    struct Refused: Error {
        let reports: [EntitlementReport]
    }

    /// The dynamic loader of this system, under the name that links to it.
    static let loader = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// A library that this process has loaded, and the client, which needs but the C library, has not.
    static let anyLibrary: String? = {
        // Its size is 0 to whoever asks before reading.
        let bytes = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
        return String(decoding: bytes ?? Data(), as: UTF8.self).split(separator: "\n").lazy
            .compactMap { line in line.firstIndex(of: "/").map { String(line[$0...]) } }
            .first { $0.contains("/libm.so") || $0.contains("/libm-") }
    }()
}
