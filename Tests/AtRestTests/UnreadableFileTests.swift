// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainSQLite
import Security
import Testing

@Suite struct UnreadableFileTests {
    private static var item: [String: Any] { ["class": "genp", "acct": "anna"] }

    /// What is done to a file, in the shell's words: `$1` is the file, `$2` the same of another keychain.
    private static let damages = [
        "keychain.db": [
            "head -c $(stat -c %s \"$1\") /dev/zero > \"$1\"", "head -c 8192 /dev/urandom > \"$1\"", ": > \"$1\"",
            "rm \"$1\"", "rm \"$1\"; mkdir \"$1\"", "printf xxxx | dd of=\"$1\" conv=notrunc status=none",
        ],
        "device.key": [
            "head -c $(stat -c %s \"$1\") /dev/zero > \"$1\"", ": > \"$1\"", "rm \"$1\"", "chmod 644 \"$1\"",
            "cp \"$2\" \"$1\"", "printf x >> \"$1\"", "ln -sf /nonexistent \"$1\"",
        ],
    ]

    @Test(
        "nothing works on an unreadable file, nothing is changed in it, and all is well when it is back",
        arguments: damages.flatMap { name, ways in ways.map { (name, $0) } })
    func unreadable(name: String, damage: String) throws {
        let place = try KeychainPlace()
        let other = try KeychainPlace()
        for target in [place, other] { #expect(target.add(Self.item) == errSecSuccess) }
        // Closing folds the log into the database.
        place.reopen()
        try Child.run("cp", "-a", place.folder, place.root + "/saved")
        let whole = try place.digests()
        try Child.run("sh", "-c", damage, "sh", place.file(name), other.file(name))
        let before = damage.contains("mkdir") ? "" : try place.digests()
        for _ in 0..<2 {
            let statuses = [
                place.add(Self.item), place.find(Self.item).status, place.update(Self.item, ["labl": "x"]),
                place.delete(Self.item),
            ]
            #expect(statuses == Array(repeating: errSecNotAvailable, count: 4))
            place.reopen()
        }
        if !before.isEmpty { #expect(try place.digests() == before) }
        try Child.run("rm", "-rf", place.folder)
        try Child.run("mv", place.root + "/saved", place.folder)
        place.reopen()
        #expect(try place.digests() == whole)
        #expect(place.find(Self.item).status == errSecSuccess)
        #expect(try place.check().isEmpty)
    }
}
