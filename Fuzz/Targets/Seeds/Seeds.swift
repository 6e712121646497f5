// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The inputs that corpora begin with, as far as our own encoders make them; the others come from `openssl`.
package enum Seeds {
    /// Writes fixtures that are not there yet, and all seeds.
    package static func write() throws {
        try KeySeeds.writeFixtures()
        try StoreSeeds.writeFixtures()
        for (target, seeds) in [
            ("key", try KeySeeds.keys()), ("signature", try KeySeeds.signatures()),
            ("ciphertext", try KeySeeds.ciphertexts()), ("property-list", try CodingSeeds.propertyLists()),
            ("property-list-file", CodingSeeds.propertyListFiles),
            ("attributes", try CodingSeeds.attributes()), ("secret", CodingSeeds.secrets()),
            ("access-control", try CodingSeeds.accessControls()), ("factor-envelope", EnvelopeFixture.sealed),
            ("time", CodingSeeds.times), ("object-identifier", CodingSeeds.objectIdentifiers),
            ("keybag", try StoreSeeds.keybags()), ("sealed-item", try StoreSeeds.sealedItems()),
            ("device-key", try StoreSeeds.deviceKeys()), ("tpm-file", try StoreSeeds.tpmFiles()),
            ("backup", try BackupFuzzing.seeds()),
            ("recovery-words", try StoreSeeds.recoveryWords()),
            ("persistent-reference", StoreSeeds.persistentReferences), ("query", QuerySeeds.all),
            ("elf-note", try ProgramSeeds.all()), ("audit-record", try AuditSeeds.records()),
            ("git-message", HelperSeeds.git), ("docker-message", HelperSeeds.docker),
            ("secret-service-entry", try SecretServiceFuzzing.entries()),
            ("secret-service-list", try SecretServiceFuzzing.lists()),
            ("circle-card", try CircleFuzzing.cards()), ("circle-body", try CircleFuzzing.bodies()),
            ("circle-entry", try CircleFuzzing.entries()), ("circle-membership", try CircleFuzzing.memberships()),
            ("circle-log", try LogFuzzing.logs()), ("circle-joining", try LogFuzzing.joinings()),
            ("circle-state", try StateFuzzing.states()),
            ("circle-chip", try ChipFuzzing.seeds()), ("circle-head", try CircleFuzzing.heads()),
            ("sync-record", try SyncRecordFuzzing.records()),
            ("sync-name", try SyncRecordFuzzing.names()), ("sync-share", try ViewShareFuzzing.shares()),
            ("wire-message", try WireSeeds.messages()), ("wire-packet", try WireSeeds.packets()),
        ] {
            let folder = Fixtures.root.appendingPathComponent("Corpora").appendingPathComponent(target)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (number, seed) in seeds.enumerated() {
                try Data(seed).write(to: folder.appendingPathComponent("own-\(number)"))
            }
        }
    }

    /// Writes a fixture unless it is there.
    static func writeFixture(_ name: String, _ make: () throws -> [UInt8]) throws {
        let url = Fixtures.url(name)
        guard !FileManager.default.fileExists(atPath: url.path) else { return }
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(make()).write(to: url)
    }

    /// Something that cannot be missing is.
    struct Missing: Error {}
}
