// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainIdentity
internal import ProgramSigning
internal import Testing

@Suite(.enabled(if: TrustedFolder.isPossible, "no folder here is safe from the root on"))
struct EntitlementFolderTests {
    private let folder: TrustedFolder
    private let good = EntitlementText.rule(["path": EntitlementText.text("/usr/bin/tool")], identifier: "TEAM.tool")

    init() throws { folder = try TrustedFolder() }

    private func load(owners: TrustedOwners = TrustedFolder.owners) -> EntitlementTable {
        EntitlementFolder(path: folder.path, owners: owners, groups: Self.groups).load()
    }

    private static let groups = GroupDirectory(
        named: { ["empty": .init(number: 901, hasMembers: false), "club": .init(number: 902, hasMembers: true)][$0] },
        numbered: { [902: .init(number: 902, hasMembers: true)][$0] })

    @Test("a file grants what stands in it")
    func whole() throws {
        let digest = String(repeating: "0fA9", count: 16)
        let text = EntitlementText.list([
            "application-identifier": EntitlementText.text("TEAM.tool"),
            "keychain-access-groups": EntitlementText.texts(["TEAM.b", "TEAM.a"]),
            "application-groups": EntitlementText.texts(["group.one"]),
            "match": EntitlementText.dictionary([
                "group": EntitlementText.text("empty"), "unit": EntitlementText.text("tool.service"),
                "path": EntitlementText.text("/usr/bin/tool"), "sha256": EntitlementText.text(digest),
                "uids": EntitlementText.numbers([0, 1000]),
            ]),
        ])
        try folder.write(text, to: "tool.plist")
        try folder.write("not looked at", to: "tool.plist.bak")
        let table = load()
        #expect(table.reports.isEmpty)
        let rule = try #require(table.rules.first)
        #expect(rule.file == "tool.plist")
        #expect(rule.match.group == 901)
        #expect(rule.match.unit == "tool.service")
        #expect(rule.match.path == "/usr/bin/tool")
        #expect(rule.match.digest == [UInt8](repeating: 0, count: 16).flatMap { _ in [0x0f, 0xa9] })
        #expect(rule.match.users == [0, 1000])
        #expect(
            rule.granted
                == GrantedEntitlements(
                    keychainAccessGroups: ["TEAM.b", "TEAM.a"], applicationIdentifier: "TEAM.tool",
                    applicationGroups: ["group.one"], honoursWildcard: true))
    }

    @Test("a folder that is not there grants nothing, and is no fault")
    func absent() {
        let table = EntitlementFolder(path: folder.file("absent"), owners: TrustedFolder.owners).load()
        #expect(table == .empty)
    }

    @Test("a file that others can write to grants nothing", arguments: [0o664, 0o646, 0o602])
    func writable(mode: Int) throws {
        try folder.write(good, to: "a.plist", mode: mode)
        #expect(load().reports == [EntitlementReport(file: "a.plist", fault: .file(.exposed))])
        #expect(load().rules.isEmpty)
    }

    @Test("a folder that others can write to, or one above it, grants nothing", arguments: [0o775, 0o1777])
    func writableFolder(mode: Int) throws {
        try folder.makeFolder("above")
        try folder.makeFolder("above/entitlements.d")
        try folder.write(good, to: "above/entitlements.d/a.plist")
        let path = folder.file("above/entitlements.d")
        let entitlements = EntitlementFolder(path: path, owners: TrustedFolder.owners)
        #expect(entitlements.load().rules.count == 1)
        for exposed in [path, folder.file("above")] {
            try folder.setMode(mode, of: exposed)
            #expect(entitlements.load().rules.isEmpty)
            #expect(entitlements.load().reports == [EntitlementReport(file: path, fault: .file(.exposed))])
            try folder.setMode(0o755, of: exposed)
        }
    }

    @Test("a symbolic link grants nothing, as a file and as a folder")
    func link() throws {
        try folder.write(good, to: "elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("a.plist"), withDestinationPath: folder.file("elsewhere"))
        #expect(load().reports == [EntitlementReport(file: "a.plist", fault: .file(.symbolicLink))])
        let link = folder.file("link")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
        let table = EntitlementFolder(path: link, owners: TrustedFolder.owners).load()
        #expect(table.reports == [EntitlementReport(file: link, fault: .file(.symbolicLink))])
    }

    @Test("a file of another owner grants nothing")
    func owner() throws {
        try folder.write(good, to: "a.plist")
        #expect(load(owners: TrustedOwners([4_000_000])).rules.isEmpty)
        #expect(load(owners: TrustedOwners([4_000_000])).reports.first?.fault == .file(.exposed))
        guard TrustedFolder.isRoot else { return }
        #expect(chown(folder.file("a.plist"), 65534, 65534) == 0)
        #expect(load().reports == [EntitlementReport(file: "a.plist", fault: .file(.exposed))])
    }

    @Test("what is not a regular file, or too large, grants nothing and is not waited for")
    func kind() throws {
        #expect(mkfifo(folder.file("a.plist"), 0o600) == 0)
        try folder.makeFolder("b.plist")
        try folder.write(good + String(repeating: " ", count: 64 << 10), to: "c.plist")
        #expect(
            load().reports == [
                EntitlementReport(file: "a.plist", fault: .file(.wrongKind)),
                EntitlementReport(file: "b.plist", fault: .file(.wrongKind)),
                EntitlementReport(file: "c.plist", fault: .file(.tooLarge)),
            ])
    }

    @Test("one file at fault does not take the others' rights")
    func independent() throws {
        try folder.write("garbage", to: "a.plist")
        try folder.write(good, to: "b.plist")
        let table = load()
        #expect(table.rules.map(\.file) == ["b.plist"])
        #expect(table.reports == [EntitlementReport(file: "a.plist", fault: .notAPropertyList)])
    }

    @Test("what claims one identifier for two programs grants it to neither; two versions of one program share it")
    func contested() throws {
        let text = EntitlementText.text
        let digests = ["a", "b"].map { String(repeating: $0, count: 64) }
        try folder.write(good, to: "a.plist")
        try folder.write(EntitlementText.rule(["path": text("/opt/tool")], identifier: "TEAM.tool"), to: "b.plist")
        for (name, digest) in zip(["c.plist", "d.plist"], digests) {
            try folder.write(
                EntitlementText.rule(["path": text("/opt/x"), "sha256": text(digest)], identifier: "TEAM.x"), to: name)
        }
        let table = load()
        #expect(table.rules.map(\.file) == ["c.plist", "d.plist"])
        #expect(
            table.reports == [
                EntitlementReport(file: "a.plist", fault: .contestedIdentifier(by: "b.plist")),
                EntitlementReport(file: "b.plist", fault: .contestedIdentifier(by: "a.plist")),
            ])
    }
}
