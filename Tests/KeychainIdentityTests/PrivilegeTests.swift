// SPDX-License-Identifier: Apache-2.0

internal import CPeerTest
internal import Foundation
internal import KeychainIdentity
internal import Testing

/// What only root can set up: other users, setgid programs, and what users do in namespaces of their own.
@Suite(
    .enabled(if: TrustedFolder.isPossible && TrustedFolder.isRoot, "only root can set up other users and their groups"))
struct PrivilegeTests {
    private let scene: Scene
    /// A group of no name, so without members.
    private let group: UInt32 = 54_321
    private let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    init() throws { scene = try Scene() }

    /// Another library than those the client has anyway, under a name it looks for.
    private func intruder() throws -> String {
        let library = try #require(Scene.anyLibrary)
        return try scene.folder.copy(library, as: "intruder.so")
    }

    private func setgid(_ name: String) throws -> String {
        let program = try scene.folder.copy(scene.client, as: name)
        try #require(chown(program, 0, group) == 0)
        try scene.folder.setMode(0o2755, of: program)
        return program
    }

    @Test("a setgid program is known by its group, and a library its user forces on it is ignored")
    func setgidProgram() throws {
        try scene.list(["group": "<integer>\(group)</integer>"])
        let environment = ["LD_PRELOAD": try intruder()]
        let plain = try scene.peer("libraries", launcher: nobody, environment: environment)
        #expect(try plain.text() == "preloaded")
        #expect(try scene.identify(plain).level == .none)
        let marked = try scene.peer(
            "libraries", program: try setgid("marked"), launcher: nobody, environment: environment)
        #expect(try marked.text() == "clean")
        #expect(marked.process.user == 65534)
        let identity = try scene.identify(marked)
        #expect(identity.level == .kernel)
        #expect(identity.granted.applicationIdentifier == "TEAM.client")
    }

    @Test("who has the group from a login is not the program that has it from its file")
    func member() throws {
        try scene.list(["group": "<integer>\(group)</integer>"])
        let launcher = ["/usr/bin/setpriv", "--reuid=65534", "--regid=\(group)", "--clear-groups"]
        let peer = try scene.peer("honest", launcher: launcher)
        #expect(peer.process.group == group)
        let identity = try scene.identify(peer)
        #expect(identity.granted == .nothing)
        #expect(identity.explanation.contains("from its user"))
    }

    @Test("a program that its user mounted over the listed one in namespaces of theirs has no group at all")
    func spoofed() throws {
        let entitled = try scene.folder.copy("/bin/true", as: "entitled")
        try scene.list(["path": EntitlementText.text(entitled)])
        let script = "mount --bind \(scene.client) \(entitled) && exec \(entitled) \"$@\""
        let launcher = nobody + ["/usr/bin/unshare", "-Urm", "/bin/sh", "-c", script]
        let peer = try scene.peer("honest", program: "spoof", launcher: launcher)
        // The kernel shows the listed path, and another file.
        #expect(peer.evidence.image?.path == entitled)
        #expect(peer.evidence.namespaces == .other)
        #expect(peer.process.user == 65534)
        let identity = try scene.identify(peer)
        #expect(identity.level == .none)
        #expect(identity.granted == .nothing)
        #expect(identity.explanation.contains("other namespaces"))
    }

    @Test(
        "who is root in namespaces of their own can put any of its processes before us as the sender, and gains nothing"
    )
    func forged() throws {
        let entitled = try scene.folder.copy(scene.client, as: "entitled")
        try scene.list(["path": EntitlementText.text(entitled)])
        let launcher = nobody + ["/usr/bin/unshare", "-Urpf", "--kill-child"]
        try scene.start("forged", [entitled], launcher: launcher)
        let socket = try scene.accept()
        try scene.awaitReady()
        // The kernel believes it, as it says. That its namespaces are not ours is all there is against it.
        let peer = try Scene.handshake(socket)
        #expect(peer.evidence.image?.path == entitled)
        let identity = try scene.identify(peer)
        #expect(identity.level == .none)
        #expect(identity.granted == .nothing)
    }

    @Test("a setgid program is known to a server that may not look at it; a listed path is not, and neither is open")
    func hidden() throws {
        try scene.list(["group": "<integer>\(group)</integer>"])
        try scene.list(["path": EntitlementText.text(scene.client)], identifier: "TEAM.path", as: "path.plist")
        let marked = try setgid("marked")
        for (program, launcher) in [(marked, nobody), (scene.client, [])] {
            try scene.start("honest", program: program, launcher: launcher)
            let socket = try scene.accept()
            let (peer, identity) = try asUser(65534) {
                let peer = try Scene.handshake(socket)
                return (peer, try scene.identify(peer))
            }
            #expect(peer.evidence.image == nil)
            #expect(peer.evidence.namespaces == .hidden)
            #expect(identity.level == (program == marked ? .kernel : .none))
            #expect((identity.granted == .nothing) == (program != marked))
        }
        // A client of the server's own user hides nothing.
        try scene.start("honest", launcher: nobody)
        let socket = try scene.accept()
        let level = try asUser(65534) { try scene.identify(try Scene.handshake(socket)).level }
        #expect(level == .imageByPath)
    }

    /// Runs `body` with the rights of a user, on this thread alone.
    private func asUser<Result>(_ user: UInt32, _ body: () throws -> Result) throws -> Result {
        _ = try must(llt_thread_become(user))
        defer { llt_thread_become_root() }
        return try body()
    }

    @Test("an unlisted program in other namespaces has no group unless that is allowed; its unit holds")
    func container() throws {
        let peer = try scene.peer("honest", launcher: ["/usr/bin/unshare", "-m"])
        #expect(peer.evidence.namespaces == .other)
        #expect(try scene.identify(peer).granted == .nothing)
        let admitting = IdentityPolicy(admitsOtherNamespaces: true, owners: TrustedFolder.owners)
        #expect(try scene.identify(peer, admitting).granted.keychainAccessGroups == ["llavero.open"])
        try scene.list(["unit": EntitlementText.text("client.service")])
        #expect(try scene.identify(peer, units).level == .unit)
    }

    @Test("a service in file systems of its own is known by unit and path, unless another file is mounted there")
    func serviceWithPath() throws {
        let entitled = try scene.folder.copy(scene.client, as: "entitled")
        try scene.list(["unit": EntitlementText.text("client.service"), "path": EntitlementText.text(entitled)])
        let peer = try scene.peer("honest", program: entitled, launcher: ["/usr/bin/unshare", "-m"])
        #expect(peer.evidence.namespaces == .other)
        #expect(try scene.identify(peer, units).level == .unit)
        let script = "mount --bind \(scene.client) \(entitled) && exec \(entitled) \"$@\""
        let launcher = ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script]
        let spoof = try scene.peer("honest", program: "spoof", launcher: launcher)
        #expect(spoof.evidence.image?.path == entitled)
        let identity = try scene.identify(spoof, units)
        #expect(identity.granted == .nothing)
        #expect(identity.explanation.contains("another file"))
    }

    private let units = IdentityPolicy(
        owners: TrustedFolder.owners, controlGroups: { _ in "0::/system.slice/client.service\n" })

    @Test("a file that belongs to its user is no identity, wherever it lies")
    func ownedByUser() throws {
        let program = try scene.folder.copy(scene.client, as: "theirs")
        try #require(chown(program, 65534, 65534) == 0)
        try scene.list(["path": EntitlementText.text(program)])
        let identity = try scene.identify(try scene.peer("honest", program: program, launcher: nobody))
        #expect(identity.granted == .nothing)
        #expect(identity.explanation.contains("exposed"))
    }

    @Test("a listed program of any user is known by its path")
    func otherUser() throws {
        try scene.list(["path": EntitlementText.text(scene.client), "uids": EntitlementText.numbers([65534])])
        let peer = try scene.peer("honest", launcher: nobody)
        #expect(peer.process.user == 65534)
        #expect(try scene.identify(peer).level == .imageByPath)
        #expect(try scene.identify(try scene.peer("honest")).level == .none)
    }
}
