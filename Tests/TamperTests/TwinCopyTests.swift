// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

/// Device key and keybag hold what they hold twice.
@Suite struct TwinCopyTests {
    private static func onePlace() throws -> TamperedKeychain {
        let place = try TamperedKeychain()
        #expect(place.add(Samples.item("genp", 1)) == errSecSuccess)
        place.reopen()
        return place
    }

    @Test("a changed byte in either copy of the device key does no harm, and the next use mends it")
    func changedDeviceKey() throws {
        let place = try Self.onePlace()
        // No file of SQLite's, so this process may open it.
        let file = URL(fileURLWithPath: place.file("device.key"))
        func change(_ position: Int) throws {
            let handle = try FileHandle(forUpdating: file)
            try handle.seek(toOffset: UInt64(position))
            let byte = [UInt8](try handle.read(upToCount: 1) ?? Data())[0]
            try handle.seek(toOffset: UInt64(position))
            try handle.write(contentsOf: [byte ^ 0x10])
            try handle.close()
        }
        let whole = try Data(contentsOf: file)
        #expect(whole.count > 100)
        var troubles: [String] = []
        for position in whole.indices {
            try change(position)
            place.reopen()
            let status = place.find(["class": "genp"]).status
            if status != errSecSuccess { troubles.append("byte \(position): \(status)") }
            if try Data(contentsOf: file) != whole { troubles.append("byte \(position): not mended") }
            let findings = (try? place.check()) ?? ["refused"]
            if !findings.isEmpty { troubles.append("byte \(position): \(findings)") }
        }
        #expect(troubles.isEmpty)
    }

    private static func keybag(_ intruder: SQLiteConnection) throws -> [UInt8] {
        let statement = try intruder.prepare("select data from keybag")
        defer { statement.reset() }
        return try statement.step() ? statement.blob(0) : []
    }

    private static func setKeybag(_ bytes: [UInt8], _ intruder: SQLiteConnection) throws {
        let statement = try intruder.prepare("update keybag set data = ?")
        try statement.bind(blob: bytes, at: 1)
        try statement.run()
    }

    @Test("a changed byte of the keybag does no harm, and the next use mends it")
    func changedKeybag() throws {
        let place = try Self.onePlace()
        let intruder = try place.intruder()
        let whole = try Self.keybag(intruder)
        var troubles: [String] = []
        for position in Array(0..<16) + stride(from: 16, to: whole.count, by: 13) {
            var changed = whole
            changed[position] ^= 0x04
            try Self.setKeybag(changed, intruder)
            place.reopen()
            if place.find(["class": "genp"]).items.count != 1 { troubles.append("byte \(position): not found") }
            if try Self.keybag(intruder) != whole { troubles.append("byte \(position): not mended") }
            let findings = try place.check()
            if !findings.isEmpty { troubles.append("byte \(position): \(findings)") }
        }
        #expect(troubles.isEmpty && whole.count > 1000)
    }

    @Test("two damaged copies of the keybag make the keychain not available until they are back", arguments: 0..<4)
    func bothCopies(place at: Int) throws {
        let place = try Self.onePlace()
        let intruder = try place.intruder()
        let whole = try Self.keybag(intruder)
        let half = (whole.count - 16) / 2
        var changed = whole
        for copy in 0..<2 { changed[16 + copy * half + at * (half - 1) / 3] ^= 0x20 }
        try Self.setKeybag(changed, intruder)
        place.reopen()
        for call in place.fourCalls(about: Samples.item("genp", 1)) {
            #expect(call.status == errSecNotAvailable && call.failure.contains("keychain.db"))
        }
        #expect(try Self.keybag(intruder) == changed && intruder.count("genp") == 1)
        try Self.setKeybag(whole, intruder)
        #expect(try place.find(["class": "genp"]).items.count == 1 && place.check().isEmpty)
    }

    @Test(
        "a copy of the keybag that is another's, damaged or gone is made anew at the next use",
        arguments: ["printf x >> \"$1\"", ": > \"$1\"", "rm \"$1\""])
    func keybagCopy(script: String) throws {
        let place = try Self.onePlace()
        try Child.shell(script, place.file("keybag.copy"))
        place.reopen()
        #expect(place.find(["class": "genp"]).items.count == 1)
        #expect(try place.check().isEmpty)
    }
}
