// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

@Suite struct DamagedFileTests {
    /// What is done to a file, in the shell's words: `$1` is the file, `$2` the same of another keychain.
    private static let damages: [(name: String, script: String)] =
        [
            "head -c $(stat -c %s \"$1\") /dev/zero > \"$1\"", "head -c $(stat -c %s \"$1\") /dev/urandom > \"$1\"",
            "truncate -s $(($(stat -c %s \"$1\") / 8192 * 4096)) \"$1\"",
            "truncate -s 4096 \"$1\"", "truncate -s 50 \"$1\"", ": > \"$1\"", "rm \"$1\"",
            "cp \"$2\" \"$1\"",
        ].map { ("keychain.db", $0) }
        + [
            "head -c 168 /dev/zero > \"$1\"", "head -c 168 /dev/urandom > \"$1\"", "truncate -s 167 \"$1\"",
            ": > \"$1\"", "rm \"$1\"", "chmod 644 \"$1\"", "cp \"$2\" \"$1\"", "ln -sf \"$2\" \"$1\"",
            "for at in 40 200; do printf '\\377\\000' | dd of=\"$1\" bs=1 seek=$at conv=notrunc status=none; done",
        ].map { ("device.key", $0) }

    @Test(
        "with an unreadable file no call works or changes anything, and all is well when it is back",
        arguments: damages)
    func unreadable(name: String, script: String) throws {
        let place = try TamperedKeychain()
        let other = try TamperedKeychain()
        let item = Samples.item("genp", 1)
        for target in [place, other] { #expect(target.add(item) == errSecSuccess) }
        let baseline = Baseline(place, "genp")
        // Closing folds the log into the database.
        place.reopen()
        other.reopen()
        try Child.shell("cp -a \"$1\" \"$1.aside\"", place.folder)
        let whole = try place.digests()
        try Child.shell(script, place.file(name), other.file(name))
        let damaged = try place.digests()
        for _ in 0..<2 {
            for call in place.fourCalls(about: item) {
                #expect(call.status == errSecNotAvailable)
                // A database beside another's device key is as foreign as the key.
                #expect(call.failure.contains(script.hasPrefix("cp") ? "device.key" : name))
            }
            #expect(((try? place.check()) ?? ["refused"]) != [])
            place.reopen()
        }
        #expect(try place.digests() == damaged && (damaged != whole || script.hasPrefix("chmod")))
        try Child.shell("rm -rf \"$1\"/* && cp -a \"$1.aside\"/. \"$1\"", place.folder)
        place.reopen()
        #expect(try place.digests() == whole && place.check().isEmpty)
        #expect(Baseline(place, "genp").items == baseline.items)
        #expect(place.update(["class": "genp"], ["labl": "after"]) == errSecSuccess)
    }

    /// What is done to the tables that say how the items are to be read.
    private static let rules = [
        "update keychain set uuid = randomblob(16)", "update keychain set uuid = x'00'",
        "update keychain set owner = 'a daemon'", "update keychain set moved_to = 'elsewhere'",
        "update keychain set min_reader = 4", "delete from keychain", "drop table keychain",
        "update keybag set data = randomblob(length(data))", "update keybag set data = x''",
        "delete from keybag", "drop table keybag",
    ]

    @Test("without its own row or its keybag a keychain is not available, and nothing is changed", arguments: rules)
    func unruly(sql: String) throws {
        let place = try TamperedKeychain()
        let item = Samples.item("genp", 1)
        #expect(place.add(item) == errSecSuccess)
        place.reopen()
        let intruder = try place.intruder()
        try intruder.execute(sql)
        intruder.close()
        let damaged = try place.digests()
        for call in place.fourCalls(about: item) {
            #expect(call.status == errSecNotAvailable && call.failure.contains("keychain.db"))
        }
        #expect(((try? place.check()) ?? ["refused"]) != [])
        place.reopen()
        #expect(try place.digests() == damaged)
    }
}
