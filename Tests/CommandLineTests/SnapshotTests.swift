// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools
internal import Testing

/// Snapshots that nobody asks for, and the ways back to them.
@Suite("snapshots") struct SnapshotTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        for name in ["one", "two", "1234"] { try scene.write(name, to: name) }
    }

    @discardableResult
    private func shell(_ line: String, code: Int32 = 0) throws -> ToolScene.Answer {
        let tool = try ToolScene.built("llavero")
        let answer = try scene.run("/bin/bash", ["-c", "llavero() { \(tool) \"$@\"; }\n\(line)"])
        #expect(answer.code == code, "\(line): \(answer.output)\(answer.complaint)")
        return answer
    }

    /// A keychain that was made two days ago.
    private func fill() throws {
        try shell("llavero add site --stdin --quiet < one")
        try makeOld()
    }

    private func makeOld() throws { try shell("touch -d '2 days ago' keychains/login/owner") }

    /// Makes the snapshots older: those of today become some of the day that is given.
    private func age(to day: String) throws {
        try shell(
            "cd keychains/.snapshots-login && for f in login-2*backup; do mv $f $(echo $f | sed -E 's/login-[0-9]{8}/login-\(day)/'); done"
        )
    }

    /// Date, reason and number of items of each, the newest first.
    private func list() throws -> [[String]] {
        try shell("llavero snapshots --plain").output.split(separator: "\n").map {
            $0.split(separator: "\t").prefix(3).map(String.init)
        }
    }

    @Test("the first change of a day is preceded by a snapshot, if something changed since the last one")
    func daily() throws {
        try shell("llavero add site --stdin --quiet < one && llavero edit site --stdin --quiet < two")
        #expect(try list().isEmpty, "on its first day there is none")
        try makeOld()
        try shell("llavero add other --stdin --quiet < one")
        #expect(try list().map { Array($0.dropFirst()) } == [["daily", "1"]])
        try shell("llavero add third --stdin --quiet < one && llavero remove third --quiet")
        #expect(try list().count == 1)
        try age(to: "20260101")
        try shell("llavero rename other another --quiet")
        #expect(try list().map { $0[1] } == ["daily", "daily"])
        #expect(try shell("llavero status --plain").output.contains("newest-snapshot\t2"))
        // What was there before that change.
        let rehearsal = try shell("llavero restore --snapshot --dry-run").output
        #expect(rehearsal.contains("would be added: 0"), "\(rehearsal)")
        try shell("llavero snapshots make --daily --quiet")
        #expect(try list().count == 2)
        #expect(try shell("llavero check").output.contains("no problems"))
        try shell("llavero restore --snapshot 2026-01 --replace --yes --quiet")
        try shell("llavero get another", code: 44)
        #expect(try shell("llavero get site").output == "two\n")
        #expect(try list().map { $0[1] } == ["before restore", "daily", "daily"])
        try shell("llavero restore --snapshot 2025", code: 44)
        try shell("llavero restore --snapshot --words", code: 2)
    }

    @Test("nothing is made twice of the same items, and a keychain that is not there is none to make one of")
    func unchanged() throws {
        #expect(
            try shell("llavero snapshots make --daily").complaint.contains("no snapshot of the keychain login is due"))
        try shell("llavero snapshots make", code: 1)
        try fill()
        try shell("llavero snapshots make --daily --quiet")
        try age(to: "20260101")
        #expect(try shell("llavero snapshots make --daily").complaint.contains("is due"))
        try shell("llavero add other --stdin --quiet < one")
        #expect(try list().count == 1, "its first change of the day comes after nothing")
        try shell("llavero add third --stdin --quiet < one")
        #expect(try list().map { $0[2] } == ["2", "1"])
    }

    @Test("a second restore goes back to what the first one did, and one that changes nothing leaves no snapshot")
    func again() throws {
        try fill()
        try shell("llavero snapshots make --quiet && llavero edit site --stdin --quiet < two")
        try age(to: "20260101")
        try shell("llavero add other --stdin --quiet < one")
        try shell("rm keychains/.snapshots-login/login-2*-daily-*")
        // What is there is newer, and stays.
        let first = try shell("llavero restore --snapshot").complaint
        #expect(first.contains("restored the snapshot of 2026-01-01"), "\(first)")
        #expect(first.contains("(on demand, 1 item)") && first.contains("changed: 0"), "\(first)")
        #expect(try list().map { $0[1] } == ["on demand"])
        try shell("llavero restore --snapshot --replace --yes --quiet")
        #expect(try shell("llavero get site").output == "one\n")
        try shell("llavero get other", code: 44)
        #expect(try list().map { $0[1] } == ["before restore", "on demand"])
        // So it does after one that changed something, also by its day; the whole date names any.
        try shell("llavero edit site --stdin --quiet < 1234 && llavero restore --snapshot --replace --yes --quiet")
        #expect(try shell("llavero get site").output == "one\n")
        let asked = try shell("llavero restore --snapshot --replace </dev/null", code: 36).complaint
        #expect(asked.contains("the snapshot of 2026-01-01") && asked.contains("does not have will be removed"))
        let before = try list()[0][0]
        let named = try shell("llavero restore --snapshot \(before) --dry-run").complaint
        #expect(named.contains("(before restore, "), "\(named)")
        // Where there is no other, one of those is meant.
        try shell("rm keychains/.snapshots-login/login-2*-demand-*")
        #expect(try shell("llavero restore --snapshot --dry-run").complaint.contains("(before restore, "))
    }

    @Test("settings turn the daily ones off, and not those before a restore; remove takes all away")
    func off() throws {
        try fill()
        try shell("llavero settings --daily-snapshots no --quiet && llavero edit site --stdin --quiet < two")
        #expect(try list().isEmpty)
        #expect(try shell("llavero settings --plain").output.contains("daily-snapshots\tno"))
        try shell("llavero backup saved --device-only --quiet && llavero restore saved --quiet")
        #expect(try list().isEmpty, "it changed nothing")
        try shell("llavero edit site --stdin --quiet < one && llavero restore saved --replace --yes --quiet")
        #expect(try list().count == 1)
        #expect(try shell("llavero snapshots remove").complaint.contains("removed 1 snapshot of"))
        try shell("llavero settings --daily-snapshots yes --quiet && llavero edit site --stdin --quiet < one")
        #expect(try list().map { $0[1] } == ["daily"])
        try shell("llavero settings --daily-snapshots perhaps", code: 2)
    }

    @Test("seven stay, and those of another keychain that had the name are left alone")
    func bounded() throws {
        try fill()
        for day in 1...9 {
            try shell("llavero snapshots make --quiet")
            try age(to: "2026010\(day)")
            try shell("cd keychains/.snapshots-login && for f in login-2026010\(day)*; do mv $f $f.kept; done")
        }
        try shell("cd keychains/.snapshots-login && for f in *.kept; do mv $f ${f%.kept}; done")
        #expect(try list().count == 9)
        try shell("llavero snapshots make --quiet")
        #expect(try list().count == 7)
        #expect(try list().last?.first?.hasPrefix("2026-01-04") ?? false)
        // It goes where its keychain goes.
        try shell("llavero keychains set-aside login --quiet && llavero add fresh --stdin --quiet < one")
        #expect(try list().isEmpty)
        let aside = try shell("llavero snapshots --keychain keychains/login.aside-1 --plain | wc -l").output
        #expect(aside.contains("7"), "\(aside)")
    }

    @Test("those of days to come, of a clock that was wrong, keep no other away, and what was just made stays")
    func wrongClock() throws {
        try fill()
        try shell("llavero backup saved --device-only --quiet && llavero snapshots make --quiet")
        try shell(
            "cd keychains/.snapshots-login && f=$(ls) && for n in 1 2 3 4 5 6 7; do cp $f $(echo $f | sed -E s/login-[0-9]{8}/login-2099010$n/); done && rm $f"
        )
        #expect(try list().count == 7)
        try shell("llavero edit site --stdin --quiet < 1234 && llavero restore saved --replace --yes --quiet")
        #expect(try list().map { $0[1] } == ["before restore"] + [String](repeating: "on demand", count: 6))
        #expect(try list().last?.first?.hasPrefix("2099-01-02") ?? false)
        // Nor is each change of today the first one.
        try shell("llavero edit site --stdin --quiet < two && llavero rename site place --quiet")
        #expect(try list().count { $0[0].hasPrefix("2099") } == 6)
        #expect(try shell("llavero restore --snapshot --dry-run").output.contains("would be added: 0"))
    }

    @Test("of a keychain with a passcode they open with the passcode, and not after a rotation of its keys")
    func passcode() throws {
        try fill()
        try shell("llavero passcode set --new-fd 3 --quiet 3< 1234")
        let keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        guard case .backup(let locked) = try keychain.perform(.backupSecrets) else { throw POSIXError(.EINVAL) }
        #expect(locked.snapshot == nil, "who has the folder has no more than who has the passcode, too")
        try shell("llavero snapshots make </dev/null", code: 36)
        #expect(try shell("llavero snapshots make --daily </dev/null").complaint.contains("no snapshot was made"))
        try shell(
            "llavero unlock --fd 3 --quiet 3< 1234 && llavero snapshots make --quiet; llavero lock --end-agent --quiet")
        #expect(try list().map { $0[2] } == ["1"])
        try shell("llavero restore --snapshot --dry-run </dev/null", code: 36)
        try shell("llavero restore keychains/.snapshots-login/login-2* --dry-run </dev/null", code: 36)
        try shell("llavero restore --snapshot --dry-run --fd 3 3< one", code: 1)
        #expect(
            try shell("llavero restore --snapshot --dry-run --fd 3 3< 1234").output.contains(
                "would stay as they are: 1"))
        try shell("cp keychains/.snapshots-login/login-2* earlier && llavero rotate-keys --fd 3 3< 1234")
        #expect(try list().map { Array($0.dropFirst()) } == [["daily", "1"]])
        let said = try shell("llavero restore earlier --dry-run --fd 3 3< 1234", code: 1).complaint
        #expect(said.contains("opens no more"), "\(said)")
    }

    @Test("before a keychain of an earlier format is upgraded one is made; and it opens in today's")
    func upgrade() throws {
        let vectors = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors/formats/1/login").path
        try shell(
            "mkdir -m 700 keychains && cp -r \(vectors) keychains/ && chmod -R go= keychains && chmod -R u+w keychains")
        try makeOld()
        try shell("llavero add fresh --stdin --quiet < one")
        #expect(try shell("llavero status --plain").output.contains("format\t3"))
        #expect(try list().map { $0[1] } == ["before upgrade"])
        #expect(try shell("llavero restore --snapshot --dry-run").output.contains("would be added: 0"))
    }

    @Test("what a repair cannot save comes back from a snapshot, and what it saved stays as it is")
    func repair() throws {
        try fill()
        for name in ["other", "third"] { try shell("llavero add \(name) --stdin --quiet < one") }
        try shell("llavero snapshots remove --quiet && llavero snapshots make --quiet")
        try shell("llavero edit site --stdin --quiet < two && llavero add late --stdin --quiet < one")
        try damage(row: "2")
        #expect(try shell("llavero doctor 2>&1", code: 1).output.contains("with --snapshot, the snapshot of"))
        let said = try shell("llavero repair").output
        #expect(said.contains("brought back from the snapshot of 2") && said.contains(": other"), "\(said)")
        #expect(try shell("llavero get site; llavero get other; llavero get late").output == "two\none\none\n")
        #expect(try shell("llavero check").output.contains("no problems"))
        // What no snapshot has is lost.
        try shell("llavero remove third --forever --quiet")
        try shell("llavero add last --stdin --quiet < one")
        try damage(row: "(select max(rowid) from genp)")
        let lost = try shell("llavero repair", code: 1)
        #expect(lost.output.contains("not saved: a generic password"), "\(lost)")
    }

    @Test("while a log that was damaged is kept, what is read is said to be older perhaps")
    func keptLog() throws {
        try fill()
        #expect(try shell("llavero get site").complaint.isEmpty)
        try shell("touch keychains/login/keychain.db-wal.aside-1")
        for verb in ["get site", "list", "search site"] {
            let answer = try shell("llavero \(verb)")
            #expect(answer.complaint.contains("lost with a damaged log") && !answer.output.isEmpty, "\(answer)")
        }
        #expect(try shell("llavero status").output.contains("warning: the database is damaged"))
        #expect(try shell("llavero repair").output.isEmpty)
        #expect(try shell("llavero get site").complaint.isEmpty)
    }

    private func damage(row: String) throws {
        let text =
            "update genp set data = cast(substr(data, 1, length(data) - 1) || case when substr(data, -1) = x'00' then x'01' else x'00' end as blob) where rowid = \(row)"
        try shell(
            "python3 -c \"import sqlite3; d = sqlite3.connect('keychains/login/keychain.db'); d.execute(\\\"\(text)\\\"); d.commit()\""
        )
    }
}
