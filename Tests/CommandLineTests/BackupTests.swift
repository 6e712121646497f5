// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSQLite
internal import KeychainTools
internal import Testing

/// Backup and restore as a person uses them; rows N and O of the scenarios, as far as they are about a keychain's owner.
@Suite("backup and restore") struct BackupTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        for name in ["one", "two", "three"] { try scene.write(name, to: name) }
        try scene.write("correct horse", to: "phrase")
        try scene.write("wrong horse", to: "wrong")
    }

    /// Runs a line of the shell in which `llavero` is the tool, and `elsewhere` the same with another machine's keychains.
    @discardableResult
    private func shell(_ line: String, code: Int32 = 0) throws -> ToolScene.Answer {
        let tool = try ToolScene.built("llavero")
        let script = """
            llavero() { \(tool) "$@"; }; elsewhere() { LLAVERO_HOME=\(scene.file("elsewhere")) \(tool) "$@"; }
            \(line)
            """
        let answer = try scene.run("/bin/bash", ["-c", script])
        #expect(answer.code == code, "\(line): \(answer.output)\(answer.complaint)")
        return answer
    }

    private func fill() throws {
        try shell(
            """
            llavero add site --user ada --stdin --quiet < one && llavero add mail --stdin --quiet < two &&
            llavero add web --url https://ada@example.org/x --stdin --quiet < three
            """)
    }

    /// All that is told of the items, but for the keychain's name.
    private func everything(_ tool: String) throws -> [String] {
        let list = "for i in $(\(tool) list --all --plain | cut -f 7,8 | grep -o 'id:[0-9a-f]*'); do "
        return try shell(list + "\(tool) show $i --all --json; \(tool) get $i --all; done").output
            .split(separator: "\n").map(String.init).sorted()
    }

    @Test(
        "with a passphrase to another machine: every item, its identifier, its dates; and a second time nothing changes"
    )
    func passphrase() throws {
        try fill()
        #expect(try shell("llavero backup saved --fd 3 3< phrase").complaint.contains("backed up 3 items to saved"))
        #expect(try shell("llavero backup --verify saved").complaint.contains("complete and undamaged"))
        try shell("elsewhere restore saved --yes --fd 3 3< wrong", code: 1)
        #expect(!scene.names.contains("elsewhere"))
        try shell("elsewhere restore saved --fd 3 3< phrase </dev/null", code: 36)
        #expect(!scene.names.contains("elsewhere"))
        #expect(
            try shell("elsewhere restore saved --yes --fd 3 3< phrase").complaint.contains("added: 3, changed: 0"))
        #expect(try everything("elsewhere") == everything("llavero"))
        #expect(try everything("llavero").count == 6)
        #expect(
            try shell("elsewhere restore saved --yes --fd 3 3< phrase").complaint.contains(
                "added: 0, changed: 0, stay as they are: 3"))
        try shell("elsewhere check")
        // N9: what was deleted comes back under its identifier.
        let before = try everything("llavero")
        try shell("llavero remove site mail web --quiet --forever && llavero restore saved --quiet")
        #expect(try everything("llavero") == before)
    }

    /// The document's line for cron, and the command of the example for systemd, with its specifiers filled in.
    private func unattendedLines() throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let guide = try String(contentsOf: root.appending(path: "Docs/Guide.md"), encoding: .utf8)
        let example = try String(
            contentsOf: root.appending(path: "Packaging/systemd/examples/llavero-backup-secrets.conf"), encoding: .utf8)
        let cron = try #require(guide.split(separator: "```cron\n").dropFirst().first?.split(separator: "\n").first)
        let unit = try #require(example.split(separator: "\n").last { $0.hasPrefix("ExecStart=/") })
        return [
            cron.split(separator: " ", maxSplits: 5).last.map(String.init) ?? "",
            // As the line stands in quotes, the shell that runs this takes it apart as systemd does.
            String(unit.dropFirst("ExecStart=".count)).replacing("%h", with: scene.path).replacing(
                "@PREFIX@/bin/llavero", with: try ToolScene.built("llavero")),
        ]
    }

    @Test("from cron and from a timer with a passcode set: the lines of the documents, without a terminal")
    func unattended() throws {
        try fill()
        try scene.write("seven wet lanterns", to: "code")
        try shell(
            """
            llavero passcode set --new-fd 3 --quiet 3< code && mkdir -p .config/llavero &&
            cp code .config/llavero/passcode && cp phrase .config/llavero/backup-passphrase
            """)
        // What is missing is said by its name, and by the option that gives it.
        let without = try shell("setsid -w \(try ToolScene.built("llavero")) backup saved --fd 3 3< phrase", code: 36)
        #expect(without.complaint.contains("--passcode-fd N to read the keychain's passcode"), "\(without.complaint)")
        let neither = try shell(
            "setsid -w \(try ToolScene.built("llavero")) backup saved --passphrase --passcode-fd 3 3< code", code: 36)
        #expect(neither.complaint.contains("--fd N to read the backup's passphrase"), "\(neither.complaint)")
        #expect(!scene.names.contains("saved"))
        try shell("llavero backup saved --fd 3 --passcode-fd 3 3< code", code: 2)
        try shell("llavero backup saved --fd 3 --passcode-fd 4 3< phrase 4< wrong", code: 1)
        for line in try unattendedLines() {
            try scene.write(line, to: "line")
            try shell("rm -rf backups .local && mkdir -p .local/share && export -f llavero && bash line </dev/null")
            try shell(
                """
                rm -rf elsewhere && elsewhere restore $(ls backups/* .local/share/llavero-backups/* 2>/dev/null) \
                --yes --fd 3 3< phrase
                """)
            #expect(try shell("elsewhere get site").output == "one\n")
        }
        // With the words of a recovery key no passphrase is needed, and an incremental one takes the passcode alone.
        try shell(
            """
            llavero recovery make --quiet --fd 3 3< code > words &&
            llavero backup --into backups --quiet --passcode-fd 3 3< code </dev/null &&
            llavero backup --into backups --incremental --quiet --passcode-fd 3 3< code </dev/null
            """)
    }

    @Test("with a recovery key nothing is asked, and its words open the backup elsewhere")
    func recovery() throws {
        try fill()
        try shell("llavero recovery make --quiet > words && llavero backup saved </dev/null")
        try shell("elsewhere restore saved --yes --fd 3 3< words")
        #expect(try everything("elsewhere") == everything("llavero"))
        #expect(try shell("llavero backup --verify saved").complaint.contains("a recovery key"))
    }

    @Test("without recovery key, passphrase and terminal it says what is missing, and --device-only does without")
    func deviceOnly() throws {
        try fill()
        let said = try shell("llavero backup saved </dev/null", code: 36).complaint
        #expect(said.contains("only this device could open the backup"), "\(said)")
        #expect(!scene.names.contains("saved"))
        try shell("llavero backup saved --device-only && llavero remove site --quiet && llavero restore saved --quiet")
        #expect(try shell("llavero get site").output == "one\n")
        #expect(try shell("elsewhere restore saved --yes", code: 1).complaint.contains("only the keychain that made"))
    }

    @Test(
        "the later change stays; --replace makes it what it was (N6); synchronized items stay (N6); removed by it is what is not in it"
    )
    func merging() throws {
        try fill()
        try shell("llavero backup saved --device-only --quiet && llavero edit site --stdin --quiet < two")
        try shell("llavero add fresh --stdin --quiet < one")
        #expect(try shell("llavero restore saved").complaint.contains("added: 0, changed: 0, stay as they are: 3"))
        #expect(try shell("llavero get site").output == "two\n")
        let rehearsal = try shell("llavero restore saved --replace --dry-run").output
        #expect(rehearsal.contains("would be changed: 1, would be removed: 1"), "\(rehearsal)")
        #expect(try shell("llavero get site").output == "two\n")
        try shell("llavero restore saved --replace </dev/null", code: 36)
        let said = try shell("llavero restore saved --replace --yes").complaint
        #expect(said.contains("changed: 1, removed: 1"), "\(said)")
        #expect(try shell("llavero get site").output == "one\n")
        try shell("llavero get fresh", code: 44)
        // What a restore takes away can be brought back.
        try shell("llavero undelete fresh --quiet && llavero check")
        #expect(try shell("llavero get fresh").output == "one\n")
    }

    @Test("an item that was removed and added again is made what it was, under the identifier that it had")
    func readded() throws {
        try fill()
        let before = try everything("llavero")
        try shell("llavero backup saved --device-only --quiet && llavero remove site --forever --quiet")
        try shell("llavero add site --user ada --stdin --quiet < one && llavero restore saved --replace --yes --quiet")
        #expect(try everything("llavero") == before)
        try shell("llavero check")
    }

    @Test("an item that another one has taken the name of gets it back with --replace")
    func taken() throws {
        try fill()
        let before = try everything("llavero")
        try shell("llavero backup saved --device-only --quiet && llavero rename site place --quiet")
        try shell("llavero add site --user ada --stdin --quiet < three")
        // The renamed one is later, so nothing is to be done.
        #expect(try shell("llavero restore saved").complaint.contains("stay as they are: 3"))
        let said = try shell("llavero restore saved --replace --yes").complaint
        #expect(said.contains("added: 0, changed: 1, removed: 1, stay as they are: 2"), "\(said)")
        #expect(try everything("llavero") == before)
        try shell("llavero check")
    }

    @Test("items that have each other's names get theirs back with --replace")
    func swapped() throws {
        try fill()
        let before = try everything("llavero")
        try shell("llavero backup saved --device-only --quiet && llavero rename site x --quiet")
        try shell("llavero rename mail site --quiet && llavero rename x mail --quiet")
        #expect(try shell("llavero get mail --user ada").output == "one\n")
        try shell("llavero restore saved --replace --yes --quiet && llavero check")
        #expect(try everything("llavero") == before)
    }

    @Test("also in a backup of several parts an item gets its name back from one that the backup does not have")
    func takenInParts() throws {
        try fill()
        // Two secrets of five megabytes fill a part, and the web item is in the next one.
        try shell("head -c 5000000 /dev/zero | tr '\\0' x > big")
        for name in ["big", "bigger"] { try shell("llavero add \(name) --stdin --quiet < big") }
        try shell("llavero backup saved --device-only --quiet && llavero rename site place --quiet")
        try shell("llavero add site --user ada --stdin --quiet < three")
        let said = try shell("llavero restore saved --replace --yes").complaint
        #expect(said.contains("added: 0, changed: 1, removed: 1, stay as they are: 4"), "\(said)")
        #expect(try shell("llavero get site").output == "one\n")
        try shell("llavero get place", code: 44)
    }

    @Test("an item that the backup has is not removed for that this device does not open its record")
    func foreign() throws {
        try fill()
        try add("here", "four", .whenUnlockedThisDeviceOnly)
        try shell("llavero recovery make --quiet > words && llavero backup saved --quiet --fd 3 3< phrase")
        // It came along to another device key, as with the keychain into another enclave.
        var attributes = AttributeList()
        attributes[.service] = .string("here")
        let keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        try keychain.update(
            UpdateRequest(
                predicate: ItemPredicate(
                    queriedClass: .stored(.genericPassword), attributes: attributes, groups: .everyGroupOfCaller,
                    synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: []),
                changes: ItemChanges(
                    attributes: AttributeList(), group: nil, accessControl: AccessControl(protection: .whenUnlocked),
                    isSynchronizable: nil, secret: nil),
                tombstones: .whenSynchronizable), of: .person)
        try shell("rm keychains/login/device.key && llavero recovery use --quiet --fd 3 3< words")
        try shell("llavero add fresh --stdin --quiet < one")
        let rehearsal = try shell("llavero restore saved --replace --dry-run --fd 3 3< phrase").output
        #expect(rehearsal.contains("would be removed: 1,"), "\(rehearsal)")
        let said = try shell("llavero restore saved --replace --yes --fd 3 3< phrase").complaint
        #expect(said.contains("removed: 1, stay as they are: 3"), "\(said)")
        #expect(said.contains("1 item opens only on the device that made"), "\(said)")
        #expect(try shell("llavero get here").output == "four\n")
        try shell("llavero get fresh", code: 44)
    }

    @Test("through a pipe from one machine to another, and a pipe that is cut changes nothing")
    func pipe() throws {
        try fill()
        try shell(
            "llavero backup - --fd 3 3< phrase | elsewhere restore - --yes --fd 3 3< phrase; exit ${PIPESTATUS[0]}")
        #expect(try everything("elsewhere") == everything("llavero"))
        try shell(
            "rm -r elsewhere; llavero backup - --fd 3 3< phrase | head -c 900 | elsewhere restore - --yes --fd 3 3< phrase",
            code: 1)
        #expect(!scene.names.contains("elsewhere"))
        #expect(try shell("llavero backup - --device-only > /dev/full", code: 1).complaint.contains("No space left"))
    }

    @Test("a damaged file is refused at every place, and nothing is restored")
    func damaged() throws {
        try fill()
        try shell("llavero backup saved --device-only --quiet && llavero remove site --quiet")
        let bytes = try scene.bytes("saved")
        for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 24)) {
            var changed = bytes
            changed[index] ^= 1
            try changed.write(to: URL(fileURLWithPath: scene.file("changed")))
            try shell("llavero backup --verify changed", code: 1)
            try shell("llavero restore changed --yes", code: 1)
        }
        try shell("llavero get site", code: 44)
        try shell("llavero backup saved --device-only", code: 1)
        #expect(try scene.bytes("saved") == bytes)
    }

    @Test("--into names the file, and --keep removes older ones of this keychain alone")
    func keeping() throws {
        try fill()
        _ = try shell(
            "mkdir saved && echo no backup > saved/x.llavero-backup && elsewhere add other --stdin --quiet < one")
        try shell("elsewhere backup saved/other.llavero-backup --device-only --quiet")
        for _ in 0..<3 { try shell("llavero backup --into saved --keep 2 --device-only --quiet") }
        let names = try shell("ls saved").output.split(separator: "\n")
        #expect(
            names.count == 4 && names.contains("x.llavero-backup") && names.contains("other.llavero-backup"), "\(names)"
        )
        try shell("llavero backup --verify saved/login-*2*.llavero-backup >/dev/null 2>&1 || true")
        #expect(try shell("llavero status").output.contains("last backup: 2"))
    }

    @Test("--keep leaves the backup that was just made, where others are of a time to come")
    func keepingWithWrongClock() throws {
        try fill()
        try shell("mkdir saved")
        for _ in 0..<2 { try shell("llavero backup --into saved --device-only --quiet") }
        // Milliseconds since 2001, as an INTEGER of six bytes behind their name.
        let script = """
            import sys
            for path in sys.argv[1:]:
                data = bytearray(open(path, "rb").read())
                place = data.index(b"time") + 4
                assert data[place:place + 2] == b"\\x02\\x06"
                data[place + 2:place + 8] = (3 * 10 ** 12).to_bytes(6, "big")
                open(path, "wb").write(data)
            """
        try scene.write(script, to: "ahead.py")
        // Names that no backup of the same second takes anew.
        try shell("python3 ahead.py saved/* && for file in saved/*; do mv $file saved/old-${file#saved/}; done")
        try shell("ls saved > before && llavero backup --into saved --keep 2 --device-only --quiet")
        try shell("test $(ls saved | wc -l) = 2 && test $(ls saved | grep -vxFf before | wc -l) = 1")
        try shell("llavero backup --into saved --keep 1 --device-only --quiet && ! ls saved | grep -qxFf before")
    }

    @Test("an item for this device only comes back here, and elsewhere is counted; a second reader finds the same")
    func bound() throws {
        try fill()
        try add("here", "four", .afterFirstUnlockThisDeviceOnly)
        let said = try shell("llavero backup saved --fd 3 3< phrase").complaint
        #expect(said.contains("backed up 4 items to saved; 1 of them open on this device only"), "\(said)")
        let elsewhere = try shell("elsewhere restore saved --yes --fd 3 3< phrase").complaint
        #expect(elsewhere.contains("added: 3") && elsewhere.contains("1 item opens only on the device that made"))
        try shell("llavero remove here --quiet && llavero restore saved --quiet")
        #expect(try shell("llavero get here").output == "four\n")
        let lines = try shell("python3 \(Self.secondReader) saved phrase").output.split(separator: "\n").map(
            String.init)
        let expected = ["genp ada 6f6e65", "inet ada 7468726565", "bound", "items 4, bound 1, left out 0"]
        #expect(expected.allSatisfy(lines.contains), "\(lines)")
    }

    @Test("what changed since the last one goes into a small file, and who opens the first opens all")
    func incremental() throws {
        try fill()
        let next = "llavero backup --into saved --incremental </dev/null"
        try shell("mkdir saved && \(next)", code: 36)
        #expect(try shell("\(next) --fd 3 3< phrase").complaint.contains("backed up 3 items"))
        #expect(try shell("\(next)").complaint.contains("backed up 0 items, new or changed"))
        try shell("llavero remove mail --forever --quiet && llavero edit site --stdin --quiet < two")
        try shell("llavero add fresh --stdin --quiet < three")
        #expect(try shell("\(next)").complaint.contains("backed up 2 items, new or changed"))
        let newest = "$(ls saved/* | tail -n 1)"
        #expect(
            try shell("llavero backup --verify \(newest)").complaint.contains("undamaged, and so are the 2 before it"))
        try shell("elsewhere restore \(newest) --yes --fd 3 3< wrong", code: 1)
        #expect(
            try shell("elsewhere restore \(newest) --yes --fd 3 3< phrase").complaint.contains("added: 3, changed: 0"))
        #expect(try everything("elsewhere") == everything("llavero"))
        #expect(try shell("llavero restore \(newest)").complaint.contains("stay as they are: 3"))
        // A file that others go on from stays; of a broken way back nothing is used.
        try shell("\(next) --keep 1 && test $(ls saved | wc -l) = 4")
        try shell("mkdir alone && cp \(newest) alone")
        let said = try shell("llavero restore alone/* --yes", code: 1).complaint
        #expect(said.contains("has only what changed since an earlier backup"), "\(said)")
        try shell("python3 -c \"\(Self.flip)\" $(ls saved/* | head -n 1) 700")
        #expect(try shell("llavero restore \(newest) --replace --yes", code: 1).complaint.contains("damaged"))
        // Where there is none to go on from any more, it has everything.
        try shell("rm saved/*")
        #expect(try shell("\(next) --device-only").complaint.contains("backed up 3 items"))
    }

    @Test("an incremental backup of a device's own items, read by a second reader")
    func incrementalElsewhere() throws {
        try fill()
        try shell(
            "llavero recovery make --quiet > words && mkdir saved && llavero backup --into saved --fd 3 3< phrase")
        try shell("llavero edit site --stdin --quiet < three; llavero remove web --quiet")
        try shell("llavero backup --into saved --incremental")
        let lines = try shell("python3 \(Self.secondReader) --chain phrase saved/*").output
            .split(separator: "\n").map(String.init).sorted()
        #expect(lines == ["2 listed", "genp  74776f", "genp ada 7468726565"], "\(lines)")
        try shell("elsewhere restore $(ls saved/* | tail -n 1) --words --yes --fd 3 3< words")
        #expect(try everything("elsewhere") == everything("llavero"))
    }

    @Test("where there is a passcode, a backup beside the keychain is no way round it, nor opens here after a rotation")
    func aroundPasscode() throws {
        try fill()
        try shell("llavero passcode set --new-fd 3 --quiet 3< phrase")
        try shell(
            "llavero unlock --fd 3 --quiet 3< phrase && llavero backup saved --device-only --quiet; llavero lock --end-agent --quiet"
        )
        try shell("llavero restore saved --dry-run </dev/null", code: 36)
        try shell("llavero restore saved --dry-run --fd 3 3< wrong", code: 1)
        let opened = try shell("llavero restore saved --dry-run --fd 3 3< phrase").output
        #expect(opened.contains("would stay as they are: 3"), "\(opened)")
        try shell("llavero rotate-keys --fd 3 3< phrase")
        let said = try shell("llavero restore saved --dry-run --fd 3 3< phrase", code: 1).complaint
        #expect(said.contains("opens no more"), "\(said)")
    }

    @Test("a backup in the folder that knows of later changes tells of an older copy that was put in place")
    func olderCopy() throws {
        try fill()
        try shell("mkdir saved && cp -r keychains/login kept && llavero edit site --stdin --quiet < two")
        try shell(
            "llavero backup --into saved --device-only --quiet && rm -r keychains/login && cp -r kept keychains/login")
        let said = try shell("llavero backup --into saved --device-only --keep 1", code: 1).complaint
        #expect(said.contains("knows of one change that this keychain does not have"), "\(said)")
        try shell("test $(ls saved | wc -l) = 2 && llavero restore $(ls saved/* | head -n 1) --quiet")
        #expect(try shell("llavero get site").output == "two\n")
        try shell("llavero backup --into saved --device-only --keep 1 && test $(ls saved | wc -l) = 1")
    }

    /// Makes another byte of the one at a place of a file.
    private static let flip =
        "import sys; f = open(sys.argv[1], 'r+b'); f.seek(int(sys.argv[2])); b = f.read(1); f.seek(-1, 1); f.write(bytes([b[0] ^ 1]))"

    private static let secondReader = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Vectors/backup/read.py").path

    private func add(
        _ name: String, _ secret: String, _ protection: Accessibility, isSynchronizable: Bool = false
    ) throws {
        let keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        var attributes = AttributeList()
        attributes[.service] = .string(name)
        attributes[.account] = .string(name)
        try keychain.add(
            AddRequest(
                itemClass: .genericPassword, attributes: attributes, group: .everyGroupOfCaller,
                protection: .accessControl(AccessControl(protection: protection)),
                isSynchronizable: isSynchronizable, isTombstone: false,
                secret: SecretValue(copying: Array(secret.utf8)),
                returning: [], origin: .caller), of: .person)
    }

    @Test("the tombstone of a synchronizable item is in no backup (N12)")
    func tombstones() throws {
        try fill()
        try add("shared", "four", .afterFirstUnlock, isSynchronizable: true)
        #expect(try shell("llavero backup with --device-only").complaint.contains("backed up 4 items"))
        try shell("llavero remove shared --quiet")
        #expect(try shell("llavero backup without --device-only").complaint.contains("backed up 3 items"))
        // Nor does an older backup raise what left one.
        try shell("llavero restore with --quiet")
        try shell("llavero get shared", code: 44)
    }

    @Test("what comes in takes the place of an item that cannot be read (O5)", arguments: ["", " --replace --yes"])
    func overDamage(how: String) throws {
        try fill()
        try shell("llavero backup saved --device-only --quiet")
        let before = try everything("llavero")
        let connection = try SQLiteConnection(path: scene.file("keychains/login/keychain.db"), mode: .readWrite)
        try connection.execute(
            "update genp set data = substr(data, 1, 60) || x'000000' || substr(data, 64) where rowid = 1")
        connection.close()
        try shell("llavero get site", code: 1)
        #expect(
            try shell("llavero restore saved\(how)").complaint.contains("added: 1, changed: 0, stay as they are: 2"))
        #expect(try everything("llavero") == before)
        try shell("llavero check --accept && llavero check")
    }

    @Test("a locked keychain is not backed up (N13), and nothing of a stolen file can be read")
    func locked() throws {
        try fill()
        try shell("llavero backup saved --fd 3 3< phrase --quiet")
        let file = try scene.bytes("saved")
        for word in ["site", "ada", "mail", "example.org", "one", "three"] where word.count > 3 {
            #expect(file.range(of: Data(word.utf8)) == nil, "\(word)")
        }
        try shell("llavero passcode set --new-fd 3 --quiet 3< phrase")
        try shell("llavero backup other --device-only </dev/null", code: 36)
        #expect(!scene.names.contains("other"))
    }
}
