// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// What is left of an export that something ended.
@Suite struct EndedExportTests {
    @Test("an export that is ended leaves the whole file or none, and no other", arguments: ["KILL", "TERM", "INT"])
    func ended(signal: String) throws {
        let scene = try ToolScene()
        let rows = (0..<600).map { "site-\($0),user,password-\($0)\n" }.joined()
        try scene.write("Title,Username,Password\n" + rows, to: "passwords.csv")
        #expect(try scene.tool("import", scene.file("passwords.csv")).code == 0)
        let folder = scene.file("out")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        // Sooner or later in its work, which no two machines do at the same speed: what is left is right at any time.
        for hundredths in [3, 6, 12, 25, 50] {
            _ = try scene.run(
                "/usr/bin/timeout",
                [
                    "-s", signal, "0.\(hundredths < 10 ? "0" : "")\(hundredths)", ToolScene.built("llavero"), "export",
                    "\(folder)/all.json",
                ])
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                #expect(name == "all.json")
                let all = try JSONSerialization.jsonObject(
                    with: Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
                #expect(all is [String: Any] || all is [Any])
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
        }
    }

    @Test("an export works where there is no /proc")
    func withoutProc() throws {
        let scene = try ToolScene()
        try scene.write("Title,Username,Password\nsite,user,password\n", to: "passwords.csv")
        #expect(try scene.tool("import", scene.file("passwords.csv")).code == 0)
        let folder = scene.file("out")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let tool = [try ToolScene.built("llavero"), "export", "\(folder)/all.json"]
        let ended = try scene.run("/usr/bin/bwrap", ["--dev-bind", "/", "/", "--tmpfs", "/proc"] + tool)
        #expect(ended.code == 0, "\(ended.complaint)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["all.json"])
    }

    @Test("after a write that failed nothing more is written")
    func failedWrite() throws {
        let scene = try ToolScene()
        let rows = (0..<600).map { "site-\($0),user,password-\($0)\n" }.joined()
        try scene.write("Title,Username,Password\n" + rows, to: "passwords.csv")
        #expect(try scene.tool("import", scene.file("passwords.csv")).code == 0)
        let whole = try scene.run(ToolScene.built("llavero"), ["export"])
        // A file may have a hundred blocks, so the second piece of 64 KiB is written in part, or not at all.
        let cut = try scene.run(
            "/bin/bash",
            ["-c", "trap '' XFSZ; ulimit -f 100; exec \"$0\" export > cut", ToolScene.built("llavero")])
        #expect(cut.code == 1 && cut.complaint.contains("the output cannot be written completely"))
        let written = try scene.bytes("cut")
        #expect(written.count > 65_000 && Data(whole.output.utf8).starts(with: written))
        #expect(written.count < whole.output.utf8.count)
    }
}
