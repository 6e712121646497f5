// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// Digests in entitlement files after an upgrade, with the real dpkg.
@Suite struct DigestRefreshTests {
    @Test("an upgraded program's digest is put in place of the old one, and nothing else of the file changes")
    func upgraded() throws {
        let scene = try DigestScene()
        try scene.write(DigestScene.rule(scene.program))
        #expect(try scene.refresh() == 0)
        let expected = DigestScene.rule(scene.program, try scene.digest())
        #expect(scene.text == expected)
        #expect(scene.files == ["a.plist"])
        #expect(try scene.refresh() == 0)
        #expect(scene.text == expected)
    }

    @Test("comments are passed over, as in the files that come with Llavero")
    func comments() throws {
        let scene = try DigestScene()
        let more = "<!-- a line,\n  and another one -->\n  <key>refreshes</key> <!-- yes --> <true/>"
        let digest = try scene.digest()
        try scene.write(DigestScene.rule("/usr/bin/dpkg", more: more))
        #expect(try scene.refresh() == 0)
        #expect(scene.text == DigestScene.rule("/usr/bin/dpkg", digest, more: more))
    }

    @Test("the example that comes with Llavero is refreshed once it asks for that, with all of its comments")
    func example() throws {
        let scene = try DigestScene()
        func rule(_ digest: String) throws -> String {
            try DigestScene.example().replacing("@PREFIX@/bin/llavero", with: scene.program).replacing(
                "</string>\n    </dict>",
                with: "</string><key>sha256</key><string>\(digest)</string><key>refreshes</key><true/>\n    </dict>",
                maxReplacements: 1)
        }
        try scene.write(rule(DigestScene.old))
        #expect(try scene.refresh() == 0)
        #expect(scene.text == (try rule(scene.digest())))
    }

    @Test(
        "whatever is in a comment is passed over, and stays as it is",
        arguments: [
            "<!-- <key>path</key>\n <string>/usr/bin/env</string> -->", "<!-- a > b\n\n < c & d <![CDATA[ -->",
            "<!-- <key>sha256</key><string>\(String(repeating: "1a", count: 32))</string> -->",
            "<!-- \(DigestScene.old) -->",
            "<!-- <!-- -->", "<!---->", "<!-- - > \u{1} ü -->",
        ])
    func anyComment(comment: String) throws {
        let scene = try DigestScene()
        let more = "\(comment)<key>refreshes</key>\(comment)<true/>\(comment)"
        try scene.write(DigestScene.rule(scene.program, more: more))
        #expect(try scene.refresh() == 0)
        #expect(scene.text == DigestScene.rule(scene.program, try scene.digest(), more: more))
    }

    @Test(
        "what is not plain is named",
        arguments: [
            ("<key>refreshes</key><true/><!-- open", "a comment"),
            ("<key>refreshes</key><true/><key>a</key><string><![CDATA[a]]></string>", "a section"),
            ("<key>refreshes</key><true/><key>a</key><string>&amp;</string>", "an entity (&)"),
            ("<key>refreshes</key><true/><key>refreshes</key><true/>", "<key>refreshes</key>"),
            ("<key>refreshes</key><true/><key>path</key><string>/usr/bin/env</string>", "<key>path</key>"),
            ("<key>refreshes</key><true/><key>sha256</key><string>0</string>", "<key>sha256</key>"),
            ("<key>refreshes</key><true/><key>other</key><string>\(DigestScene.old)</string>", "the digest"),
        ])
    func named(more: String, part: String) throws {
        let scene = try DigestScene()
        try scene.write(DigestScene.rule(scene.program, more: more))
        let answer = try scene.answer()
        #expect(answer.status == 1 && answer.text.contains(part), "\(answer.text)")
        #expect(scene.text == DigestScene.rule(scene.program, more: more))
    }

    @Test(
        "a digest that nobody asked to refresh stays",
        arguments: ["", "<key>refreshes</key><false/>", "<!-- <key>refreshes</key><true/> -->"])
    func notAsked(more: String) throws {
        try expectUnchanged(DigestScene.rule("/usr/bin/dpkg", more: more), status: 0)
    }

    @Test(
        "a rule that is not written plainly stays",
        arguments: [
            "<key>refreshes</key><true/><key>refreshes</key><true/>",
            "<key>refreshes</key><true/><key>path</key><string>/usr/bin/env</string>",
            "<key>refreshes</key><true/><key>other</key><string>\(DigestScene.old)</string>",
            "<key>refreshes</key><true/><key>other</key><string>&amp;</string>",
        ])
    func notPlain(more: String) throws {
        try expectUnchanged(DigestScene.rule("/usr/bin/dpkg", more: more), status: 1)
    }

    @Test(
        "a path that leads to no file of a package stays",
        arguments: [
            "/usr/bin/../bin/dpkg", "/usr/bin/dpk?", "/usr/bin/*", "/etc/hostname", "/usr/bin", "/nowhere", "dpkg",
        ])
    func noPackage(path: String) throws {
        try expectUnchanged(DigestScene.rule(path), status: 1)
    }

    @Test("a program that is not as its package brought it keeps its old digest")
    func changedProgram() throws {
        try expectUnchanged(DigestScene.rule("/usr/bin/dpkg"), status: 1) { scene in
            try scene.changeDatabase("info/dpkg.md5sums") { sums in
                sums.replacing(
                    /[0-9a-f]{32}  usr\/bin\/dpkg\n/, with: String(repeating: "0", count: 32) + "  usr/bin/dpkg\n")
            }
        }
    }

    @Test("a package that is only half there vouches for nothing")
    func halfInstalled() throws {
        try expectUnchanged(DigestScene.rule("/usr/bin/dpkg"), status: 1) { scene in
            try scene.changeDatabase("status") { status in
                status.replacing(
                    "Package: dpkg\nEssential: yes\nStatus: install ok installed",
                    with: "Package: dpkg\nEssential: yes\nStatus: install ok unpacked")
            }
        }
    }

    @Test("a file that others can write is not touched")
    func exposedFile() throws {
        try expectUnchanged(DigestScene.rule("/usr/bin/dpkg"), mode: 0o666, status: 1)
    }

    private func expectUnchanged(
        _ text: String, mode: mode_t = 0o644, status: Int32, after change: (DigestScene) throws -> Void = { _ in }
    ) throws {
        let scene = try DigestScene()
        try change(scene)
        try scene.write(text, mode: mode)
        #expect(try scene.refresh() == status)
        #expect(scene.text == text)
        #expect(scene.files == ["a.plist"])
    }
}
