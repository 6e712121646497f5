// SPDX-License-Identifier: Apache-2.0

import KeychainAudit
import KeychainModel
import Testing

@Suite struct AuditRecordTests {
    private let records = [
        AuditRecord(number: 1, time: -5, .entry(AuditScene.entry(1))),
        AuditRecord(number: .max, time: .max, .lost(1, reason: .min)),
        AuditRecord(number: 2, time: 0, .seal(records: 2)),
        AuditRecord(
            number: 3, time: 0,
            .opening(
                AuditOpening(
                    file: 2, oldest: 1, cause: .rotation, previousNumber: 2,
                    previousMAC: [UInt8](repeating: 3, count: 32)))),
    ]

    private func decoded(_ bytes: [UInt8]) -> AuditRecord? { bytes.withUnsafeBytes { AuditRecord(decoding: $0) } }

    @Test("a record is read as it was written, and written as it was read")
    func roundTrip() throws {
        for record in records {
            let bytes = try record.encoded()
            #expect(decoded(bytes) == record)
        }
    }

    @Test("no shortened, lengthened or changed record is read as the same bytes that it is not")
    func strict() throws {
        for record in records {
            let bytes = try record.encoded()
            for count in bytes.indices { #expect(decoded(Array(bytes[..<count])) == nil) }
            #expect(decoded(bytes + [0]) == nil)
            for index in bytes.indices {
                for bit in 0..<8 {
                    var changed = bytes
                    changed[index] ^= 1 << bit
                    if let other = decoded(changed) { #expect(try other.encoded() == changed) }
                }
            }
        }
    }

    @Test(
        "a record that no writer makes is refused",
        arguments: [
            // Number 0; a kind there is not; an operation there is not; a list where none belongs; an opening of file 0.
            [0x30, 12, 2, 1, 4, 2, 1, 0, 2, 1, 0, 2, 1, 1] as [UInt8], [0x30, 9, 2, 1, 9, 2, 1, 1, 2, 1, 0],
            [0x30, 12, 2, 1, 5, 2, 1, 1, 2, 1, 0, 2, 1, 0], [0x30, 11, 2, 1, 3, 2, 1, 1, 2, 1, 0, 0x30, 0],
            [0x30, 55, 2, 1, 1, 2, 1, 1, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 1, 2, 1, 0, 4, 32]
                + [UInt8](repeating: 0, count: 32), [],
        ])
    func refused(bytes: [UInt8]) {
        #expect(decoded(bytes) == nil)
    }

    @Test("more items than one record takes are not written into one")
    func tooLarge() throws {
        let items = (0..<4000).map { AuditedItem(.key, PersistentID(high: 0, low: UInt64($0)), group: .unknown) }
        #expect(throws: AuditError.tooLarge) {
            try AuditRecord(number: 1, time: 0, .moreItems(items)).encoded()
        }
    }
}
