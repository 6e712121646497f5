// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainIdentity
internal import Testing

@Suite(.enabled(if: TrustedFolder.isPossible, "no folder here is safe from the root on"))
struct IdentificationTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    @Test("a program at a listed path gets what the file grants")
    func path() throws {
        try scene.list(["path": EntitlementText.text(scene.client)])
        let identity = try scene.identify(try scene.peer("honest"))
        #expect(identity.level == .imageByPath)
        #expect(identity.granted.applicationIdentifier == "TEAM.client")
        #expect(identity.file == "client.plist")
    }

    @Test("a listed digest has to be that of the file; it is remembered only of files that nobody else can change")
    func digest() throws {
        let digests = ImageDigests(owners: TrustedFolder.owners)
        let peer = try scene.peer("honest")
        let image = try #require(peer.evidence.image)
        let digest = try digests.sha256(of: image)
        #expect(digests.count == 1)
        #expect(try ImageDigests(owners: TrustedOwners([])).sha256(of: image) == digest)
        let text = EntitlementText.text
        let hexadecimal = digest.map { String(format: "%02x", $0) }.joined()
        try scene.list(["path": text(scene.client), "sha256": text(hexadecimal)])
        #expect(try scene.identify(peer).level == .imageByHash)
        let spoiled = (hexadecimal.hasPrefix("0") ? "1" : "0") + hexadecimal.dropFirst()
        try scene.list(["path": text(scene.client), "sha256": text(spoiled)])
        let identity = try scene.identify(peer)
        #expect(identity.granted == .nothing)
        #expect(identity.explanation.contains("SHA-256"))
        let exposed = ImageDigests(owners: TrustedOwners([4_000_000]))
        _ = try exposed.sha256(of: image)
        #expect(exposed.count == 0)
    }

    @Test("the digest is that of the file as the sha256sum of the system says")
    func independentDigest() throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        process.arguments = [scene.client]
        process.standardOutput = output
        try process.run()
        let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let image = try #require(try scene.peer("honest").evidence.image)
        let digest = try ImageDigests().sha256(of: image)
        #expect(said.hasPrefix(digest.map { String(format: "%02x", $0) }.joined()))
    }

    @Test("an unlisted program shares the open group, or has none when that is switched off")
    func unlisted() throws {
        let peer = try scene.peer("honest")
        let open = try scene.identify(peer)
        #expect(open.level == .none)
        #expect(open.granted.keychainAccessGroups == ["llavero.open"])
        #expect(open.explanation.contains(scene.client))
        let closed = try scene.identify(peer, IdentityPolicy(opensToUnlisted: false, owners: TrustedFolder.owners))
        #expect(closed.granted == .nothing)
    }

    @Test(
        "while an entitlement file cannot be used, nobody has what it may reserve, and the daemon says which file and why"
    )
    func brokenFile() throws {
        let peer = try scene.peer("honest")
        try scene.folder.write("<plist", to: "broken.plist")
        let table = EntitlementFolder(path: scene.folder.path, owners: TrustedFolder.owners).load()
        let digests = ImageDigests(owners: TrustedFolder.owners)
        for (guardsNothing, granted) in [(false, GrantedEntitlements.nothing), (true, .open)] {
            let policy = IdentityPolicy(guardsNothing: guardsNothing, owners: TrustedFolder.owners)
            let found = try ProgramIdentifier(table: table, policy: policy, digests: digests).identify(peer)
            #expect(found.granted == granted)
            #expect(found.explanation.contains("broken.plist grants nothing: it is no property list") == !guardsNothing)
        }
    }

    @Test("a program whose file was deleted or replaced since it started has no identity, and is told so")
    func deleted() throws {
        try scene.list(["path": EntitlementText.text(scene.client)])
        let peer = try scene.peer("honest")
        #expect(try scene.identify(peer).level == .imageByPath)
        try scene.folder.copy(scene.client, as: "fresh")
        #expect(rename(scene.folder.file("fresh"), scene.client) == 0)
        // One that was known before keeps what it has: it still runs the same file.
        try peer.recheck()
        try scene.start("honest", program: scene.folder.copy(scene.client, as: "doomed"))
        let socket = try scene.accept()
        #expect(unlink(scene.folder.file("doomed")) == 0)
        let doomed = try Scene.handshake(socket)
        #expect(doomed.evidence.image?.isDeleted == true)
        #expect(doomed.evidence.image?.path == scene.folder.file("doomed"))
        try scene.list(["path": EntitlementText.text(scene.folder.file("doomed"))])
        let identity = try scene.identify(doomed)
        #expect(identity.granted == .nothing)
        #expect(identity.explanation.contains("start it again"))
    }

    @Test("a file that others can change, or that lies where they can, is no identity")
    func exposed() throws {
        try scene.folder.makeFolder("shared", mode: 0o777)
        let writable = try scene.folder.copy(scene.client, as: "writable", mode: 0o775)
        let within = try scene.folder.copy(scene.client, as: "shared/client")
        for program in [writable, within] {
            try scene.list(["path": EntitlementText.text(program)])
            let identity = try scene.identify(try scene.peer("honest", program: program))
            #expect(identity.level == .none)
            #expect(identity.granted == .nothing)
            #expect(identity.explanation.contains("exposed"))
        }
    }

    @Test("an interpreter is nobody, also one under the listed name of a program it was told to run")
    func interpreters() throws {
        try scene.list(["path": EntitlementText.text(scene.client)])
        let python = try scene.folder.copy(scene.client, as: "python3.11")
        let peer = try scene.peer("honest", program: python)
        #expect(peer.evidence.image?.isInterpreter == true)
        #expect(try scene.identify(peer).level == .none)
        guard let loader = Scene.loader else { return }
        let loaded = try scene.peer("honest", launcher: [loader])
        #expect(loaded.evidence.image?.path != scene.client)
        #expect(loaded.evidence.image?.isInterpreter == true)
        #expect(try scene.identify(loaded).level == .none)
    }

    @Test("two files that claim one program for different identifiers grant nothing")
    func ambiguous() throws {
        let match: KeyValuePairs = ["path": EntitlementText.text(scene.client)]
        try scene.list(match)
        try scene.list(match, identifier: "TEAM.other", as: "other.plist")
        let identity = try scene.identify(try scene.peer("honest"))
        #expect(identity.granted == .nothing)
        #expect(identity.explanation.contains("client.plist, other.plist"))
    }

    @Test("a file for some users goes before one for all, and leaves that to the others")
    func someUsers() throws {
        try scene.list(["path": EntitlementText.text(scene.client)])
        let match: KeyValuePairs = [
            "path": EntitlementText.text(scene.client), "uids": EntitlementText.numbers([getuid()]),
        ]
        try scene.list(match, identifier: "TEAM.some", as: "some.plist")
        let peer = try scene.peer("honest")
        #expect(try scene.identify(peer).granted.applicationIdentifier == "TEAM.some")
        let others: KeyValuePairs = [
            "path": EntitlementText.text(scene.client), "uids": EntitlementText.numbers([4_000_000]),
        ]
        try scene.list(others, identifier: "TEAM.some", as: "some.plist")
        #expect(try scene.identify(peer).file == "client.plist")
    }

    @Test("a template is all its instances, and a file for one of them goes before it")
    func template() throws {
        let peer = try scene.peer("honest")
        func identified(_ unit: String) throws -> String? {
            let policy = IdentityPolicy(
                owners: TrustedFolder.owners,
                controlGroups: { _ in "0::/system.slice/system-runner.slice/\(unit)\n" }, tracing: { _ in nil })
            return try scene.identify(peer, policy).granted.applicationIdentifier
        }
        try scene.list(["unit": EntitlementText.text("runner@.service")], identifier: "TEAM.all", as: "all.plist")
        for unit in ["runner@a.service", "runner@b.service"] { #expect(try identified(unit) == "TEAM.all") }
        for unit in ["runner.service", "runners@a.service", "runner@a.socket"] {
            #expect(try identified(unit) != "TEAM.all")
        }
        try scene.list(["unit": EntitlementText.text("runner@a.service")], identifier: "TEAM.one", as: "one.plist")
        #expect(try identified("runner@a.service") == "TEAM.one")
        #expect(try identified("runner@b.service") == "TEAM.all")
    }

    @Test("a system unit is stronger than the path, and only for the users listed")
    func unit() throws {
        let policy = IdentityPolicy(
            owners: TrustedFolder.owners, controlGroups: { _ in "0::/system.slice/client.service\n" },
            tracing: { _ in nil })
        try scene.list(["path": EntitlementText.text(scene.client)])
        try scene.list(["unit": EntitlementText.text("client.service")], identifier: "TEAM.unit", as: "unit.plist")
        let peer = try scene.peer("honest")
        let identity = try scene.identify(peer, policy)
        #expect(identity.level == .unit)
        #expect(identity.granted.applicationIdentifier == "TEAM.unit")
        let match: KeyValuePairs = [
            "unit": EntitlementText.text("client.service"), "uids": EntitlementText.numbers([4_000_000]),
        ]
        try scene.list(match, identifier: "TEAM.unit", as: "unit.plist")
        #expect(try scene.identify(peer, policy).level == .imageByPath)
        // And all that a file names has to hold.
        try scene.list(
            ["unit": EntitlementText.text("client.service"), "path": EntitlementText.text("/usr/bin/other")],
            identifier: "TEAM.unit", as: "unit.plist")
        #expect(try scene.identify(peer, policy).level == .imageByPath)
    }
}
