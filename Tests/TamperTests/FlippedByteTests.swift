// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct FlippedByteTests {
    @Test("an item with one changed byte is not found, and check() names its row", arguments: Samples.classes)
    func flipped(itemClass: String) throws {
        let place = try TamperedKeychain()
        let item = Samples.item(itemClass, 1)
        #expect(place.add(item) == errSecSuccess)
        let query = ["class": itemClass]
        let whole = place.find(query).items
        let attributes = place.find(query, data: false).items
        #expect(whole.count == 1)
        let intruder = try place.intruder()
        let blob = try intruder.blob(of: itemClass)
        var troubles: [String] = []
        for position in blob.indices {
            var changed = blob
            changed[position] ^= 1 << UInt8(position % 8)
            try intruder.setBlob(changed, of: itemClass)
            let (status, items) = place.find(query)
            if status != errSecItemNotFound || !items.isEmpty { troubles.append("byte \(position): \(status)") }
            // The attributes alone may still be read where only the secret is damaged; they must be the true ones.
            let bare = place.find(query, data: false)
            if bare.status == errSecSuccess ? bare.items != attributes : bare.status != errSecItemNotFound {
                troubles.append("byte \(position), attributes: \(bare.status)")
            }
            let findings = try place.check()
            if findings.count != 1 || !findings[0].hasPrefix("\(Samples.words(itemClass)) 1: ") {
                troubles.append("byte \(position): check() says \(findings)")
            }
        }
        try intruder.setBlob(blob, of: itemClass)
        #expect(troubles.isEmpty)
        #expect(blob.count > 200 && place.find(query).items == whole)
        #expect(try place.check().isEmpty)
    }

    @Test("an item whose blob is cut short or has grown is not found, and check() names its row")
    func lengths() throws {
        let place = try TamperedKeychain()
        #expect(place.add(Samples.item("genp", 1)) == errSecSuccess)
        let intruder = try place.intruder()
        let blob = try intruder.blob()
        let shorter = stride(from: 0, to: blob.count, by: 3).map { Array(blob.prefix($0)) }
        let longer = [1, 16, 32, 4096].map { blob + [UInt8](repeating: 0, count: $0) }
        var troubles: [String] = []
        for changed in shorter + longer + [Array(blob.dropLast())] {
            try intruder.setBlob(changed)
            let (status, items) = place.find(["class": "genp"])
            if status != errSecItemNotFound || !items.isEmpty { troubles.append("\(changed.count): \(status)") }
            if try place.check() != ["generic password 1: cannot be read"] {
                troubles.append("\(changed.count): check()")
            }
        }
        #expect(troubles.isEmpty)
    }
}
