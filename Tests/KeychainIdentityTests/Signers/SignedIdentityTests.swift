// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainIdentity
internal import ProgramSigning
internal import TestProcesses
internal import TestPrograms
internal import Testing

/// Signed programs that run, and those that would like to be taken for them.
@Suite(.enabled(if: TrustedFolder.isPossible, "no folder here is safe from the root on"))
struct SignedIdentityTests {
    private let scene: Scene
    private let signer: TestSigner

    init() throws {
        scene = try Scene()
        signer = try TestSigner()
        try scene.believe(signer.file())
    }

    private func program(_ name: String = "app", serial: Int64 = 0, mode: Int = 0o755) throws -> String {
        let bytes = try signer.sign(ProgramFixture.client, groups: ["TEAM.shared"], serial: serial)
        return try scene.install(bytes, as: name, mode: mode)
    }

    /// What a program gets that claims to be signed and is not believed: no group, not even the one for all.
    private func expectRefused(_ program: String, _ why: String) throws {
        let identity = try scene.identifySigned(try scene.peer("honest", program: program))
        #expect(identity.level == .none)
        #expect(identity.granted == .nothing)
        #expect(identity.explanation.contains(why), "\(identity.explanation)")
    }

    @Test("a signed program gets what its signature says, wherever root put it, and its upgrade gets it too")
    func upgrade() throws {
        let path = try program()
        let first = try scene.peer("honest", program: path)
        let identity = try scene.identifySigned(first)
        #expect(identity.level == .imageBySignature)
        #expect(identity.granted.applicationIdentifier == "TEAM.client")
        #expect(identity.granted.keychainAccessGroups == ["TEAM.shared"])
        #expect(identity.granted.honoursWildcard == false)
        #expect(identity.file == "signer.plist")
        // Another build, at the same path; nobody lists anything.
        let other = try #require(ProgramFixture.otherClient)
        #expect(try scene.install(try signer.sign(other, groups: ["TEAM.shared"], serial: 1), as: "app") == path)
        let second = try scene.peer("honest", program: path)
        #expect(second.evidence.image?.facts.isSameFile(as: try #require(first.evidence.image?.facts)) == false)
        #expect(try scene.identifySigned(second).granted == identity.granted)
        // The one that was known keeps what it has; who connects anew is told to start again.
        try first.recheck()
        #expect(try scene.identifySigned(first).granted == .nothing)
        try scene.start("honest", program: path)
        let socket = try scene.accept()
        _ = try program()
        let replaced = try scene.identifySigned(try Scene.handshake(socket))
        #expect(replaced.granted == .nothing)
        #expect(replaced.explanation.contains("start it again"))
        let elsewhere = try scene.peer("honest", program: try program("elsewhere"))
        #expect(try scene.identifySigned(elsewhere).level == .imageBySignature)
    }

    @Test("the signed bytes are remembered only of files that nobody else can change")
    func remembered() throws {
        let peer = try scene.peer("honest", program: try program())
        let digests = ImageDigests(owners: TrustedFolder.owners)
        for _ in 0..<2 { #expect(try scene.identifySigned(peer, digests).level == .imageBySignature) }
        #expect(digests.count == 1)
        let forgetful = ImageDigests(owners: TrustedOwners([4_000_000]))
        #expect(try scene.identifySigned(peer, forgetful).level == .imageBySignature)
        #expect(forgetful.count == 0)
    }

    @Test("a signed program with one loaded byte that differs is refused, although it runs")
    func changed() throws {
        var bytes = try signer.sign(ProgramFixture.client)
        let place = try #require(bytes.firstRange(of: Array("a request that nobody vouches for".utf8)))
        bytes[place.lowerBound] ^= 1
        try expectRefused(try scene.install(bytes, as: "app"), "changed after it was signed")
    }

    @Test("a group or an identifier outside the signer's prefixes refuses all that the signature says")
    func outside() throws {
        let bytes = try signer.sign(ProgramFixture.client, groups: ["TEAM.shared", "OTHER.secrets"])
        try expectRefused(try scene.install(bytes, as: "app"), "OTHER.secrets")
        try expectRefused(
            try scene.install(try signer.sign(ProgramFixture.client, identifier: "TEAMX"), as: "app"), "TEAMX")
    }

    @Test("a version below the lowest that is still believed is refused")
    func outdated() throws {
        try scene.believe(signer.file(["minimum-serial": "<dict><key>TEAM.client</key><integer>5</integer></dict>"]))
        try expectRefused(try program(serial: 4), "serial 5")
        let peer = try scene.peer("honest", program: try program("new", serial: 5))
        #expect(try scene.identifySigned(peer).level == .imageBySignature)
    }

    @Test("a program of a user whom the signer's file does not list is refused")
    func users() throws {
        try scene.believe(signer.file(["uids": EntitlementText.numbers([4_000_000])]))
        try expectRefused(try program(), "does not list user")
    }

    @Test("a signature of somebody who is not believed is no more than none")
    func unknownSigner() throws {
        let bytes = try TestSigner(8).sign(ProgramFixture.client, groups: ["TEAM.shared"])
        let peer = try scene.peer("honest", program: try scene.install(bytes, as: "app"))
        let identity = try scene.identifySigned(peer)
        #expect(identity.level == .none)
        #expect(identity.granted.keychainAccessGroups == ["llavero.open"])
        #expect(try scene.identifySigned(try scene.peer("honest")).granted == identity.granted)
    }

    @Test("a forged note that names a believed key is refused")
    func forged() throws {
        let other = try TestSigner(8)
        var bytes = try other.sign(ProgramFixture.client, groups: ["TEAM.shared"])
        let place = try #require(bytes.firstRange(of: try ProgramStatement.signer(of: other.publicKey)))
        bytes.replaceSubrange(place, with: try ProgramStatement.signer(of: signer.publicKey))
        try expectRefused(try scene.install(bytes, as: "app"), "not valid")
    }

    @Test("a signed file that others can change, or that lies where they can, is refused")
    func exposed() throws {
        try expectRefused(try program(mode: 0o775), "exposed")
        try scene.folder.makeFolder("shared", mode: 0o777)
        let within = try scene.folder.copy(try program(), as: "shared/app")
        try expectRefused(within, "exposed")
        // Of a user who is not trusted here, in a folder of theirs: a home.
        let home = try scene.identifySigned(
            try scene.peer("honest", program: try program()), owners: TrustedOwners([4_000_000]))
        #expect(home.granted == .nothing)
    }

    @Test("an interpreter is nobody, whoever signed it; nor is the dynamic loader that a signed program is given to")
    func interpreters() throws {
        let python = try scene.peer("honest", program: try program("python3.11"))
        #expect(try scene.identifySigned(python).level == .none)
        guard let loader = Scene.loader else { return }
        let loaded = try scene.peer("honest", program: try program(), launcher: [loader])
        #expect(try scene.identifySigned(loaded).level == .none)
        #expect(try scene.identifySigned(loaded).granted.applicationIdentifier == nil)
    }

    @Test("what an entitlement file says of a program goes before its signature, also when it shuts the program out")
    func listed() throws {
        let path = try program()
        try scene.list(["path": EntitlementText.text(path)], identifier: "LOCAL.app")
        let peer = try scene.peer("honest", program: path)
        #expect(try scene.identifySigned(peer).level == .imageByPath)
        #expect(try scene.identifySigned(peer).granted.applicationIdentifier == "LOCAL.app")
        try scene.list(
            ["path": EntitlementText.text(path), "uids": EntitlementText.numbers([4_000_000])], identifier: "LOCAL.app")
        #expect(try scene.identifySigned(peer).granted == .nothing)
    }

    @Test("an identifier that an entitlement file keeps for one program is not another's, whoever signed that")
    func claimed() throws {
        try scene.list(["path": EntitlementText.text("/usr/bin/other")], identifier: "TEAM.client")
        try expectRefused(try program(), "for another program")
    }

    @Test("two notes, or a damaged one, are refused")
    func damaged() throws {
        let twice = ProgramFixture.withTwoNotes(try signer.sign(ProgramFixture.client))
        try expectRefused(try scene.install(twice, as: "app"), "several signatures")
        var bytes = try signer.sign(ProgramFixture.client)
        let start = ProgramFixture.number(bytes, at: ProgramFixture.note(of: bytes) + 24, size: 8)
        bytes[start] ^= 1
        try expectRefused(try scene.install(bytes, as: "app"), "note")
    }
}
