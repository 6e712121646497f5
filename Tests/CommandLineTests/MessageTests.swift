// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Testing

/// Whether what messages and help texts tell people to type is there: the sources are read, the tool is asked.
@Suite("messages name verbs and options that there are") struct MessageTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        try FileManager.default.createSymbolicLink(
            atPath: scene.file("security"), withDestinationPath: try ToolScene.built("llavero"))
    }

    private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")

    /// The texts of a target's sources, without comments, with where they stand; what is put into them is a space.
    private static func lines(of target: String) throws -> [(place: String, text: String)] {
        let folder = sources.appendingPathComponent(target)
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var lines: [(String, String)] = []
        for file in files.sorted() where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: folder.appendingPathComponent(file).path, encoding: .utf8)
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let code = line.drop { $0 == " " }
                if !code.hasPrefix("//") { lines.append(("\(target)/\(file):\(number + 1)", String(line))) }
            }
        }
        return lines
    }

    /// Names of long options in a text.
    private static func options(in text: some StringProtocol) -> [String] {
        String(text).matches(of: #/(?:^|[^\w-])(--[a-z][a-z-]*[a-z])/#).map { String($0.output.1) }
    }

    /// What the help of each verb says, by the verb.
    private func helps(_ program: String, _ list: String) throws -> [String: String] {
        var helps: [String: String] = [:]
        for line in list.split(separator: "\n") {
            guard let match = line.firstMatch(of: #/^ +([a-z][a-z-]+) {2,}/#) else { continue }
            let name = String(match.output.1)
            let help = try scene.run(program, ["help", name])
            helps[name] = help.output + help.complaint
        }
        return helps
    }

    /// What is between backquotes and begins with the program's name, or is a remedy of doctor's.
    private static func commands(in line: String, of program: String) -> [String] {
        let quoted = line.matches(of: #/`([^`]*)`/#).map { String($0.output.1) }
        let remedies = line.matches(of: #/fix: "([^"]*)"/#).map { String($0.output.1) }
        // What is put in when it runs, such as the option that names the keychain, is not known here.
        return (quoted + remedies).map { $0.replacing(#/\\\([^)]*\)/#, with: "") }
            .filter { $0.hasPrefix(program + " ") }
    }

    @Test("llavero")
    func llavero() throws {
        let program = try ToolScene.built("llavero")
        let helps = try helps(program, try scene.tool("help").output)
        #expect(helps.count > 25)
        var named = 0
        for target in [
            "llavero", "KeychainTools", "CredentialHelpers", "SecurityTool", "Security", "KeychainEngine",
            "KeychainConnection", "KeychainAuthentication", "KeychainTransport", "KeychainDaemon",
        ] {
            for (place, text) in try MessageTests.lines(of: target) {
                for command in MessageTests.commands(in: text, of: "llavero") {
                    named += 1
                    let words = command.split(separator: " ").dropFirst()
                    let verb = String(words.first ?? "").trimmingCharacters(in: .punctuationCharacters)
                    // A verb that stands for any.
                    if verb == "VERB" || verb == "help" || verb.hasPrefix("(") { continue }
                    let help = helps[verb]
                    #expect(help != nil, "\(place): there is no verb \(verb)")
                    for option in MessageTests.options(in: command) {
                        #expect(help?.contains(option) == true, "\(place): \(verb) has no \(option)")
                    }
                }
            }
        }
        #expect(named > 25)
    }

    @Test("an option that a verb's own messages name is one of its help")
    func own() throws {
        let helps = try helps(try ToolScene.built("llavero"), try scene.tool("help").output)
        let all = helps.values.joined()
        for (place, text) in try MessageTests.lines(of: "llavero") {
            let file = place.split(separator: "/").last.map(String.init) ?? ""
            // RotateKeysVerb.swift is about rotate-keys.
            let words = file.replacing("Verb.swift", with: "").replacing(#/[A-Z]/#) { "-" + $0.output.lowercased() }
            let name = String(words.drop { $0 == "-" })
            let isVerb = place.contains("/Verbs/") && file.contains("Verb.swift")
            let help = isVerb ? helps[name] ?? all : all
            // What a program is started with is its own.
            if text.contains("\"--\"") || text.contains("wl-copy") || place.contains("/Clipboard/") { continue }
            // What other tools call a verb has their options.
            if place.contains("/LlaveroCommand.swift:") && text.contains("\"--clip\"") { continue }
            // A page's style names its colours so.
            if place.contains("/ReportPage.swift:") { continue }
            // So are the options of sed, git and curl, in what people are told to type for other programs' files, those of the
            // daemon in the file by which the bus starts it, and those that editors are started with.
            let others = ["/PlaintextForm", "/HelperManual.swift:", "/ServiceScope.swift:", "/TextEditor.swift:"]
            if others.contains(where: place.contains) { continue }
            for option in MessageTests.options(in: text) where !["--help", "--version", "--seconds"].contains(option) {
                let isThere = help.contains(option) || text.contains("security") || all.contains(option) && !isVerb
                #expect(isThere, "\(place): \(option)")
            }
        }
    }

    @Test("security")
    func security() throws {
        let list = try scene.run(scene.file("security"), ["help"])
        let helps = try helps(scene.file("security"), list.output + list.complaint)
        #expect(helps.count > 25)
        let all = helps.values.joined()
        for (place, text) in try MessageTests.lines(of: "SecurityTool") {
            for command in MessageTests.commands(in: text, of: "security") {
                let verb = String(command.split(separator: " ").dropFirst().first ?? "")
                let isThere = ["help", "--version"].contains(verb) || helps[verb] != nil
                #expect(isThere, "\(place): there is no subcommand \(verb)")
            }
            // Those of llavero's verbs are looked at with these.
            for option in MessageTests.options(in: text)
            where !["--help", "--with-items", "--version"].contains(option) && !text.contains("llavero ") {
                #expect(all.contains(option), "\(place): \(option)")
            }
        }
    }
}
