// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// The pages of the manual, which are made of what the programs say of themselves.
@Suite struct ManualTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        try FileManager.default.createDirectory(atPath: scene.file("man"), withIntermediateDirectories: false)
        #expect(try scene.tool("manual", scene.file("man")).code == 0)
        let daemon = try scene.run(ToolScene.built("llaverod"), ["--manual"])
        #expect(daemon.code == 0)
        try scene.write(daemon.output, to: "man/llaverod.8")
    }

    private func page(_ name: String) throws -> String {
        String(decoding: try scene.bytes("man/\(name)"), as: UTF8.self).replacingOccurrences(of: "\\-", with: "-")
    }

    /// The first words of the lines that explain something in a help.
    private func terms(_ help: String, after indentation: String) -> [String] {
        help.split(separator: "\n").filter {
            $0.hasPrefix(indentation) && !$0.dropFirst(indentation.count).hasPrefix(" ")
        }.compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test("the daemon's page has every option that its help has")
    func daemon() throws {
        let page = try page("llaverod.8")
        #expect(page.hasPrefix(".TH LLAVEROD 8 "))
        let options = terms(try scene.run(ToolScene.built("llaverod"), ["--help"]).output, after: "  ")
            .filter { $0.hasPrefix("--") }
        #expect(options.count > 8)
        for option in options { #expect(page.contains(".TP\n\\fB\(option)\\fR")) }
        #expect(page.contains("llavero lock --end-agent"))
    }

    @Test("the page of `security` has every subcommand, with every option that its help has")
    func security() throws {
        let page = try page("security.1")
        #expect(page.hasPrefix(".TH SECURITY 1 "))
        try FileManager.default.createSymbolicLink(
            atPath: scene.file("security"), withDestinationPath: ToolScene.built("llavero"))
        let help = try scene.run(scene.file("security"), ["help"]).output
        let names = terms(help, after: "    ")
        #expect(names.count > 25)
        for (index, name) in names.enumerated() {
            let start = try #require(page.range(of: ".SS \(name)\n"))
            let rest = page[start.upperBound...]
            let end = index + 1 < names.count ? rest.range(of: ".SS \(names[index + 1])\n")?.lowerBound : nil
            let own = rest[..<(end ?? rest.endIndex)]
            let usage = try scene.run(scene.file("security"), ["help", name]).output
            for option in terms(usage, after: "  ") where option.hasPrefix("-") {
                #expect(own.contains("\\fB\(option)\\fR"), "\(name) \(option)")
            }
        }
    }

    @Test("every verb has a page")
    func verbs() throws {
        let names = terms(try scene.tool("help").output, after: "  ").filter { $0 != "It" }
        #expect(names.count > 25)
        let overview = try page("llavero.1")
        for name in names {
            #expect(try page("llavero-\(name).1").contains(".SH NAME\nllavero-\(name) - "))
            #expect(overview.contains(".TP\n\\fB\(name)\\fR\n"))
        }
    }

    @Test("every helper has a page, which says how it is set up")
    func helpers() throws {
        for (name, words) in [
            ("git-credential-llavero", "git config --global credential.helper llavero"),
            ("docker-credential-llavero", "credential-helpers = [\"llavero\"]"),
            ("cargo-credential-llavero", "global-credential-providers = [\"cargo-credential-llavero\"]"),
            ("llavero-askpass", "SSH_ASKPASS_REQUIRE=force"),
        ] {
            let page = try page("\(name).1")
            #expect(page.hasPrefix(".TH \(name.uppercased()) 1 "))
            #expect(page.contains(words))
        }
    }

    @Test("what follows a list of terms is a paragraph of its own")
    func afterTerms() throws {
        #expect(try page("llavero-askpass.1").contains("the password that sudo asks for\n.PP\n\\(gallavero add"))
        #expect(try page("docker-credential-llavero.1").contains("config.json\n.PP\n\\(gallavero doctor"))
    }

    @Test(
        "the formatter understands all of it",
        .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/groff")))
    func formatted() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: scene.file("man")).map {
            scene.file("man/\($0)")
        }
        #expect(pages.count > 30)
        let answer = try scene.run("/usr/bin/groff", ["-man", "-Tutf8", "-ww", "-z"] + pages)
        #expect(answer.code == 0 && answer.output.isEmpty && answer.complaint.isEmpty, "\(answer.complaint)")
    }
}
