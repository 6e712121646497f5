// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

@Suite struct FlippedByteTests {
    /// Where the header says how the rest is to be read.
    private static let version = 2
    private static let generation = 4..<8

    @Test(
        "an item with one changed byte is not found, and check names its row", arguments: [0x01, 0x80, 0xFF] as [UInt8])
    func flipped(mask: UInt8) throws {
        let place = try KeychainPlace()
        let item: [String: Any] = ["class": "genp", "acct": "anna", "labl": "letters"]
        #expect(place.add(item.merging(["v_Data": Data("open sesame".utf8)]) { $1 }) == errSecSuccess)
        let intruder = try place.intruder()
        let blob = try intruder.blob(of: "genp", row: 1)
        var troubles: [String] = []
        for position in blob.indices {
            var changed = blob
            changed[position] ^= mask
            try intruder.setBlob(changed, of: "genp", row: 1)
            let (status, items) = place.find(item)
            let isOfLaterSoftware = position == Self.version || Self.generation.contains(position)
            let expected = isOfLaterSoftware ? errSecNotAvailable : errSecItemNotFound
            if status != expected || !items.isEmpty { troubles.append("byte \(position): \(status) \(items.count)") }
            let findings = try place.check()
            if findings.count != 1 || !findings[0].hasPrefix("genp row 1: ") {
                troubles.append("byte \(position): check says \(findings)")
            }
        }
        try intruder.setBlob(blob, of: "genp", row: 1)
        #expect(troubles.isEmpty)
        #expect(blob.count > 200 && place.find(item).items.count == 1)
        #expect(try place.check().isEmpty)
    }
}
