// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// Device key and keybag hold what they hold twice.
@Suite struct TwinCopyTests {
    private static var item: [String: Any] { ["class": "genp", "acct": "anna"] }

    @Test("one damaged copy of the device key does no harm and is reported; two are too many", arguments: [1, 2])
    func deviceKey(copies: Int) throws {
        let place = try KeychainPlace()
        #expect(place.add(Self.item) == errSecSuccess)
        for copy in 0..<copies {
            // In the middle of each copy: a mark of 8 bytes, then two times 80.
            let words =
                "printf '\\377\\000\\377' | dd of=\"$1\" bs=1 seek=\(8 + copy * 80 + 30) conv=notrunc status=none"
            try Child.run("sh", "-c", words, "sh", place.file("device.key"))
        }
        place.reopen()
        #expect(place.find(Self.item).status == (copies == 1 ? errSecSuccess : errSecNotAvailable))
        if copies == 1 { #expect(try place.check().contains { $0.contains("device.key") }) }
    }

    @Test("one damaged copy of the keybag does no harm and is reported; two are too many", arguments: [1, 2])
    func keybag(copies: Int) throws {
        let place = try KeychainPlace()
        #expect(place.add(Self.item) == errSecSuccess)
        let intruder = try place.intruder()
        let read = try intruder.prepare("select data from keybag")
        #expect(try read.step())
        var keybag = read.blob(0)
        read.reset()
        for copy in 0..<copies { keybag[16 + copy * (keybag.count - 16) / 2 + 40] ^= 0x55 }
        let write = try intruder.prepare("update keybag set data = ?")
        try write.bind(blob: keybag, at: 1)
        try write.run()
        place.reopen()
        #expect(place.find(Self.item).status == (copies == 1 ? errSecSuccess : errSecNotAvailable))
        if copies == 1 { #expect(try place.check().contains { $0.contains("keybag") }) }
    }

    @Test("a keybag's copy beside the database that is another's or gone is reported")
    func keybagCopy() throws {
        let place = try KeychainPlace()
        #expect(place.add(Self.item) == errSecSuccess)
        try Child.run("sh", "-c", "printf x >> \"$1\"", "sh", place.file("keybag.copy"))
        #expect(try place.check().contains { $0.contains("keybag.copy") })
        try Child.run("rm", place.file("keybag.copy"))
        #expect(try place.check().contains { $0.contains("keybag.copy") })
        #expect(place.find(Self.item).status == errSecSuccess)
    }
}
