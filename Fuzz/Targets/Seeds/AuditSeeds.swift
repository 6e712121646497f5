// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit
internal import KeychainIdentity
internal import KeychainModel

/// Records of every kind.
internal enum AuditSeeds {
    static func records() throws -> [[UInt8]] {
        let program = AuditedProgram(user: 1000, process: 42, image: "/usr/bin/tool", level: .imageByHash)
        let items = [
            AuditedItem(.key, PersistentID(high: 1, low: 2), group: AuditedGroup(.open)),
            AuditedItem(.certificate, PersistentID(high: .max, low: 0), group: .unknown),
        ]
        let opening = AuditOpening(
            file: 3, oldest: 2, cause: .rotation, previousNumber: 7, previousMAC: [UInt8](repeating: 5, count: 32))
        let contents: [AuditRecord.Content] = [
            .opening(opening),
            .entry(
                AuditEntry(
                    .findSecrets, by: program, on: .stored(.key), in: .everyOfProgram, outcome: .done, items: items,
                    count: 2)),
            .entry(AuditEntry(.delete, by: program, on: .identity, outcome: .failed(.missingEntitlement))),
            .entry(AuditEntry(.stop, by: nil)),
            .entry(
                AuditEntry(
                    .refuse, by: AuditedProgram(user: 0, process: 1, image: nil, level: nil),
                    outcome: .failed(.authenticationFailed))),
            .moreItems(items), .lost(9, reason: 28), .seal(records: 1 << 40),
        ]
        return try contents.enumerated().map {
            try AuditRecord(number: Int64($0) + 1, time: 800_000_000_000_000 + Int64($0), $1).encoded()
        }
    }
}
