// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// Making small, destroying, and going back from a restore.
@Suite("compact, erase, snapshots") struct UpkeepTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        try scene.write("one", to: "one")
        try scene.write("two", to: "two")
    }

    @discardableResult
    private func shell(_ line: String, code: Int32 = 0) throws -> ToolScene.Answer {
        let tool = try ToolScene.built("llavero")
        let answer = try scene.run("/bin/bash", ["-c", "llavero() { \(tool) \"$@\"; }\n\(line)"])
        #expect(answer.code == code, "\(line): \(answer.output)\(answer.complaint)")
        return answer
    }

    private func size() throws -> Int {
        let path = scene.file("keychains/login/keychain.db")
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    }

    @Test("after everything is removed the file is small again")
    func compact() throws {
        try shell("llavero add kept --stdin --quiet < one && llavero compact --quiet")
        let least = try size()
        try shell(
            "for i in 1 2 3 4 5 6; do head -c 60000 /dev/urandom | llavero add large$i --stdin --raw --quiet; done")
        #expect(try size() > least + 300_000)
        try shell("llavero remove large1 large2 large3 large4 large5 large6 --forever --quiet && llavero compact")
        #expect(try size() <= least + 8192)
        #expect(try shell("llavero compact").complaint.contains("no room to give back"))
        #expect(try shell("llavero get kept; llavero check").output == "one\nno problems were found\n")
    }

    @Test("erase destroys the device key before the rest, and asks first")
    func erase() throws {
        try shell("llavero add site --stdin --quiet < one && llavero backup saved --fd 3 3< two --quiet")
        try shell("llavero erase login </dev/null", code: 36)
        #expect(try shell("llavero get site").output == "one\n")
        // Somebody who has the files open sees zeros where the key was.
        let said = try shell(
            "exec 5< keychains/login/device.key; llavero erase login --yes && tr -d '\\000' <&5 | wc -c")
        #expect(said.output == "0\n", "\(said)")
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.file("keychains"))
        #expect(!left.contains { $0.contains("login") }, "\(left)")
        try shell("llavero get site", code: 44)
        // The passphrase opens the backup all the same.
        try shell("llavero restore saved --yes --fd 3 3< two --quiet")
        #expect(try shell("llavero get site").output == "one\n")
    }

    @Test("a repair takes earlier versions along, and the sum over all items begins anew with it")
    func repair() throws {
        try shell("llavero add site --stdin --quiet < one && llavero edit site --stdin --quiet < two")
        try shell("llavero add other --stdin --quiet < one")
        let damage =
            "update genp set data = cast(substr(data, 1, length(data) - 1) || case when substr(data, -1) = x'00' then x'01' else x'00' end as blob) where rowid = 2"
        try shell(
            "python3 -c \"import sqlite3; d = sqlite3.connect('keychains/login/keychain.db'); d.execute(\\\"\(damage)\\\"); d.commit()\""
        )
        try shell("llavero check", code: 1)
        try shell("llavero repair --quiet", code: 1)
        #expect(
            try shell("llavero history site --plain | wc -l; llavero get site; llavero check").output.hasPrefix(
                "1\ntwo\nno problems"))
        try shell("llavero add more --stdin --quiet < one && llavero check")
        // A repaired keychain can be damaged, too.
        #expect(try shell("ls keychains/login").output.split(separator: "\n").allSatisfy { !$0.hasPrefix("salvaged") })
        try shell("dd if=/dev/zero of=keychains/login/keychain.db bs=4096 count=1 conv=notrunc status=none")
        try shell("llavero repair --quiet && llavero check")
    }

    @Test("a restore says where the keychain is as it was, and that can be restored")
    func snapshot() throws {
        try shell("llavero add site --stdin --quiet < one && llavero backup saved --device-only --quiet")
        try shell("llavero edit site --stdin --quiet < two")
        let said = try shell("llavero restore saved --replace --yes").complaint
        let path = try #require(said.split(separator: " ").first { $0.contains(".snapshots-login/") })
        #expect(try shell("llavero get site").output == "one\n")
        try shell("llavero restore \(path.dropLast()) --replace --yes --quiet")
        #expect(try shell("llavero get site").output == "two\n")
    }
}
