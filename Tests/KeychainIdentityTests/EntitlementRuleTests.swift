// SPDX-License-Identifier: Apache-2.0

internal import KeychainIdentity
internal import Testing

@Suite struct EntitlementRuleTests {
    private static let groups = GroupDirectory(
        named: {
            switch $0 {
            case "empty": .init(number: 901, hasMembers: false)
            case "club": .init(number: 902, hasMembers: true)
            case "root": .init(number: 0, hasMembers: false)
            default: nil
            }
        },
        numbered: { $0 == 902 ? .init(number: 902, hasMembers: true) : nil })

    private func fault(_ text: String) -> EntitlementFault? {
        do {
            _ = try EntitlementRule(parsing: Array(text.utf8), file: "a.plist", groups: Self.groups)
            return nil
        } catch { return error }
    }

    private func fault(match: KeyValuePairs<String, String>) -> EntitlementFault? {
        fault(EntitlementText.rule(match, identifier: "TEAM.a"))
    }

    @Test(
        "what is no property list with a dictionary is refused",
        arguments: [
            "", "garbage", "<plist version=\"1.0\"><array/></plist>", "<plist version=\"1.0\"><dict><key>match</key>",
            "<plist version=\"1.0\"><dict><key>match</key><date>2020-01-01T00:00:00Z</date></dict></plist>",
            "<plist version=\"1.0\"><dict><key>match</key><real>1.5</real></dict></plist>",
        ])
    func noList(text: String) {
        #expect(fault(text) == .notAPropertyList)
    }

    @Test("a key that means nothing here is refused, at the top and in match")
    func unknownKey() {
        let match = EntitlementText.dictionary(["path": EntitlementText.text("/usr/bin/tool")])
        #expect(
            fault(EntitlementText.list(["match": match, "keychain-access-group": EntitlementText.texts(["a"])]))
                == .unknownKey("keychain-access-group"))
        #expect(
            fault(match: ["path": EntitlementText.text("/usr/bin/tool"), "uid": "<integer>5</integer>"])
                == .unknownKey("uid"))
    }

    @Test("a digest may be one that upgrades refresh, which needs a digest and is yes or no")
    func refreshes() {
        let path = EntitlementText.text("/usr/bin/tool")
        let digest = EntitlementText.text(String(repeating: "0f", count: 32))
        #expect(fault(match: ["path": path, "sha256": digest, "refreshes": "<true/>"]) == nil)
        #expect(fault(match: ["path": path, "refreshes": "<false/>"]) == nil)
        #expect(fault(match: ["path": path, "refreshes": "<true/>"]) == .wrongValue("refreshes"))
        #expect(
            fault(match: ["path": path, "sha256": digest, "refreshes": "<integer>1</integer>"])
                == .wrongValue("refreshes"))
    }

    @Test(
        "a value of another type is refused",
        arguments: [
            ("keychain-access-groups", "<string>a</string>"),
            ("keychain-access-groups", "<array><integer>1</integer></array>"),
            ("keychain-access-groups", "<array><string></string></array>"),
            ("application-identifier", "<integer>1</integer>"),
            ("application-identifier", "<string></string>"), ("application-groups", "<true/>"), ("match", "<array/>"),
        ])
    func wrongType(key: String, value: String) {
        let match = EntitlementText.dictionary(["path": EntitlementText.text("/usr/bin/tool")])
        let text =
            key == "match"
            ? EntitlementText.list([key: value]) : EntitlementText.list([key: value, "match": match])
        #expect(fault(text) == .wrongValue(key))
    }

    @Test(
        "a value in match of another form is refused",
        arguments: [
            ("group", "<integer>0</integer>"), ("group", "<string>root</string>"), ("group", "<integer>-1</integer>"),
            ("group", "<true/>"), ("group", "<integer>4294967295</integer>"),
            ("unit", "<string>tool</string>"), ("unit", "<string>.service</string>"),
            ("unit", "<string>a/b.service</string>"), ("unit", "<string>tool@*.service</string>"),
            ("unit", "<string>@.service</string>"),
            ("unit", "<string>user@1000.service</string>"), ("path", "<string>tool</string>"),
            ("path", "<string>/</string>"), ("path", "<string>/usr//tool</string>"),
            ("path", "<string>/usr/../tool</string>"),
            ("path", "<string>/usr/bin/</string>"), ("uids", "<array/>"), ("uids", "<string>all</string>"),
            ("uids", "<array><true/></array>"), ("uids", "<array><integer>-1</integer></array>"),
            ("sha256", "<string>abc</string>"), ("sha256", "<data>AAAA</data>"),
        ])
    func wrongMatch(key: String, value: String) {
        let path = EntitlementText.text("/usr/bin/tool")
        #expect(fault(match: key == "path" ? [key: value] : [key: value, "path": path]) == .wrongValue(key))
    }

    @Test("a file has to name a program, and something to grant")
    func empty() {
        #expect(fault(EntitlementText.list(["application-identifier": EntitlementText.text("a")])) == .matchesAnything)
        #expect(fault(match: [:]) == .matchesAnything)
        // A misspelt key is why another one is missing.
        let misspelt = EntitlementText.dictionary(["path": EntitlementText.text("/usr/bin/tool")])
        #expect(fault(EntitlementText.list(["mtach": misspelt])) == .unknownKey("mtach"))
        #expect(fault(match: ["paht": EntitlementText.text("/usr/bin/tool")]) == .unknownKey("paht"))
        #expect(fault(match: ["uids": EntitlementText.numbers([1])]) == .matchesAnything)
        let digest = EntitlementText.text(String(repeating: "0", count: 64))
        #expect(fault(match: ["sha256": digest]) == .digestWithoutPath)
        #expect(fault(match: ["sha256": digest, "unit": EntitlementText.text("a.service")]) == .digestWithoutPath)
        let match = EntitlementText.dictionary(["path": EntitlementText.text("/usr/bin/tool")])
        #expect(fault(EntitlementText.list(["match": match])) == .grantsNothing)
        #expect(fault(EntitlementText.list(["match": match, "keychain-access-groups": "<array/>"])) == .grantsNothing)
    }

    @Test("a group that is unknown or has members is refused, by name and by number")
    func groups() {
        #expect(fault(match: ["group": EntitlementText.text("nobody-knows")]) == .unknownGroup)
        #expect(fault(match: ["group": EntitlementText.text("club")]) == .groupHasMembers)
        #expect(fault(match: ["group": "<integer>902</integer>"]) == .groupHasMembers)
        #expect(fault(match: ["group": "<integer>54321</integer>"]) == nil)
        #expect(fault(match: ["group": EntitlementText.text("empty")]) == nil)
    }

    @Test(
        "no interpreter is listed by its path",
        arguments: [
            "/usr/bin/python3.11", "/bin/sh", "/usr/bin/perl5.36.0", "/usr/bin/node", "/usr/bin/qemu-x86_64",
            "/lib64/ld-linux-x86-64.so.2", "/usr/bin/ruby3.1", "/usr/lib/jvm/bin/java", "/usr/bin/python3.11-dbg",
        ])
    func interpreters(path: String) {
        #expect(fault(match: ["path": EntitlementText.text(path)]) == .interpreter)
    }

    @Test(
        "a program whose name begins like an interpreter's is none",
        arguments: [
            "/usr/bin/node_exporter", "/usr/bin/ruby-tool", "/usr/bin/shasum", "/opt/python3/bin/tool",
        ])
    func notInterpreters(path: String) {
        #expect(fault(match: ["path": EntitlementText.text(path)]) == nil)
    }

    @Test("the wildcard is for programs that their user cannot steer")
    func wildcard() throws {
        let levels: [(KeyValuePairs<String, String>, Bool)] = [
            (["group": "<integer>54321</integer>"], true), (["unit": EntitlementText.text("a.service")], true),
            (["path": EntitlementText.text("/usr/bin/tool")], false),
        ]
        for (match, honours) in levels {
            let text = EntitlementText.list([
                "match": EntitlementText.dictionary(match), "keychain-access-groups": EntitlementText.texts(["*"]),
            ])
            let rule = try EntitlementRule(parsing: Array(text.utf8), file: "a.plist", groups: Self.groups)
            #expect(rule.granted.honoursWildcard == honours)
        }
    }

    @Test("the system's own groups are found by name and by number")
    func systemGroups() throws {
        let root = try #require(GroupDirectory.system.named("root"))
        #expect(root.number == 0)
        #expect(GroupDirectory.system.numbered(0) == root)
        #expect(GroupDirectory.system.named("no-such-group-here") == nil)
    }
}
