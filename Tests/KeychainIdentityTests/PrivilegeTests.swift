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

    @Test("who hides from a server that may not look is not known to it, unless nothing is guarded there")
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
            // Whose file gave it the group cannot be seen.
            #expect(identity.level == .none)
            #expect(identity.granted == .nothing)
            // To a daemon of its user alone it is no matter.
            let own = IdentityPolicy(guardsNothing: true, owners: TrustedFolder.owners)
            let known = try asUser(65534) { try scene.identify(peer, own) }
            #expect(known.level == (program == marked ? .kernel : .none))
            #expect(known.granted.applicationIdentifier == (program == marked ? "TEAM.client" : nil))
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
        let admitting = IdentityPolicy(guardsNothing: true, owners: TrustedFolder.owners)
        #expect(try scene.identify(peer, admitting).granted.keychainAccessGroups == ["llavero.open"])
        // To list its user in a rule by path would not help, and is not what it is told.
        try scene.list(["path": EntitlementText.text(scene.client), "uids": EntitlementText.numbers([65534])])
        #expect(try scene.identify(peer).explanation.contains("other namespaces"))
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

    /// A rule that gives everything to who is known by it.
    private func listEverything(_ match: KeyValuePairs<String, String>) throws {
        let entries: KeyValuePairs = [
            "match": EntitlementText.dictionary(match), "administers-keys": "<true/>",
            "keychain-access-groups": EntitlementText.texts(["TEAM.own", "*"]),
        ]
        try scene.folder.write(EntitlementText.list(entries), to: "everything.plist")
    }

    @Test("tracing is a service's reason for the lack of a group only where the rule has that group, by *")
    func lackOfGroup() throws {
        let peer = try scene.peer("honest", launcher: nobody)
        let traced = IdentityPolicy(
            owners: TrustedFolder.owners, controlGroups: { _ in "0::/system.slice/client.service\n" },
            tracing: { _ in "somebody may trace it" })
        try listEverything(["unit": EntitlementText.text("client.service")])
        #expect(try scene.identify(peer, traced).lack.contains("somebody may trace it"))
        let entries: KeyValuePairs = [
            "match": EntitlementText.dictionary(["unit": EntitlementText.text("client.service")]),
            "keychain-access-groups": EntitlementText.texts(["TEAM.own"]),
        ]
        try scene.folder.write(EntitlementText.list(entries), to: "everything.plist")
        let identity = try scene.identify(peer, traced)
        #expect(identity.explanation.contains("somebody may trace it"))
        #expect(identity.lack == "everything.plist names the program, and does not give it that group")
    }

    @Test("a service that its user's programs can trace gets neither * nor the keys, also once it forbids debuggers")
    func tracedUnit() throws {
        try listEverything(["unit": EntitlementText.text("client.service")])
        let peer = try scene.peer("steerable", launcher: nobody)
        // Another program of that user writes into its memory, and has it close the door behind them.
        let place = try #require(try peer.text().flatMap { off_t($0, radix: 16) })
        let wasSteered = try asUser(65534) {
            let memory = open("/proc/\(peer.process.pid)/mem", O_RDWR | O_CLOEXEC)
            guard memory >= 0 else { return false }
            defer { close(memory) }
            return pwrite(memory, [1], 1, place) == 1
        }
        #expect(wasSteered != TracingProtection.isRestricted())
        if wasSteered { #expect(try peer.text() == "closed") }
        let facts = try FileManager.default.attributesOfItem(atPath: "/proc/\(peer.process.pid)/status")
        #expect(facts[.ownerAccountID] as? Int == (wasSteered ? 0 : 65534))
        let identity = try scene.identify(peer, units)
        #expect(identity.level == (wasSteered ? .traceableUnit : .unit))
        #expect(identity.granted.keychainAccessGroups == ["TEAM.own", "*"])
        #expect(identity.granted.honoursWildcard == !wasSteered)
        #expect(identity.granted.administersKeys == !wasSteered)
        #expect(!wasSteered || identity.explanation.contains("ptrace_scope"))
        // The refusal does not send people back to the file that says it already, and the log names the unit.
        #expect(identity.lackOfAdministration == (wasSteered ? identity.explanation : nil))
        #expect(identity.unit == "client.service")
        // Where the kernel keeps them apart, and for root, who has everything, it is worth what it says.
        let kept = IdentityPolicy(
            owners: TrustedFolder.owners, controlGroups: { _ in "0::/system.slice/client.service\n" },
            tracing: { _ in nil })
        #expect(try scene.identify(peer, kept).level == .unit)
        #expect(try scene.identify(peer, kept).granted.administersKeys)
        let roots = try scene.identify(try scene.peer("honest"), units)
        #expect(roots.level == .unit && roots.granted.honoursWildcard)
    }

    @Test("a process that is traced now is no service's, whatever the kernel allows; nor is it when that begins later")
    func traced() throws {
        let peer = try scene.peer("honest", launcher: nobody)
        let policy = IdentityPolicy(tracing: { process in
            TracingProtection.tracer(in: process.text(of: "status")) == 0 ? nil : "it is traced"
        })
        #expect(policy.stillHolds(.unit, for: peer))
        let tracer = try scene.trace(peer.process.pid)
        #expect(!policy.stillHolds(.unit, for: peer))
        #expect(TracingProtection.gap(of: peer.process)?.contains("traces it") == true)
        #expect(policy.stillHolds(.kernel, for: peer))
        withExtendedLifetime(tracer) {}
    }

    @Test("a unit with a group is worth the group: the kernel lets nobody trace a setgid program")
    func unitWithGroup() throws {
        try listEverything([
            "unit": EntitlementText.text("client.service"), "group": "<integer>\(group)</integer>",
        ])
        let peer = try scene.peer("honest", program: try setgid("marked"), launcher: nobody)
        let identity = try scene.identify(peer, units)
        #expect(identity.level == .kernel)
        #expect(identity.granted.honoursWildcard && identity.granted.administersKeys)
    }

    @Test("a file that a former member of the group marked is not believed; nor is one that others can change")
    func staleMark() throws {
        try scene.list(["group": "<integer>\(group)</integer>"])
        let stale = try setgid("stale")
        try #require(chown(stale, 65534, group) == 0)
        try scene.folder.setMode(0o2755, of: stale)
        let writable = try setgid("writable")
        try scene.folder.setMode(0o2775, of: writable)
        try scene.folder.makeFolder("shared", mode: 0o777)
        let within = try setgid("shared/within")
        for program in [stale, writable, within] {
            let peer = try scene.peer("honest", program: program, launcher: nobody)
            #expect(peer.process.group == group)
            let identity = try scene.identify(peer)
            #expect(identity.level == .none, "\(program)")
            #expect(identity.granted == .nothing)
            #expect(identity.explanation.contains("exposed"), "\(identity.explanation)")
        }
    }

    @Test("the group must be the file's: one that a user's process brings along marks nothing")
    func broughtAlong() throws {
        try scene.list(["group": "<integer>\(group)</integer>"])
        let launcher = [
            "/usr/bin/setpriv", "--reuid=65534", "--rgid=65534", "--egid=\(group)", "--clear-groups",
        ]
        let peer = try scene.peer("honest", launcher: launcher)
        #expect(peer.process.group == group && peer.realGroup == 65534)
        let identity = try scene.identify(peer)
        #expect(identity.granted == .nothing)
        #expect(identity.explanation.contains("does not give it the group"))
    }

    @Test("a program of a user who is in the group, by passwd or otherwise, is not known by it")
    func usersGroup() throws {
        try scene.list(["group": "<integer>\(group)</integer>"])
        let peer = try scene.peer("honest", program: try setgid("marked"), launcher: nobody)
        #expect(try scene.identify(peer).level == .kernel)
        for (answer, word) in [(true, "in the group"), (nil, "cannot be read")] as [(Bool?, String)] {
            let groups = GroupDirectory(
                named: { _ in nil }, numbered: { _ in nil },
                includes: { [group] in $0 == 65534 && $1 == group ? answer : false })
            let identity = try scene.identify(peer, IdentityPolicy(owners: TrustedFolder.owners, groups: groups))
            #expect(identity.granted == .nothing)
            #expect(identity.explanation.contains(word))
        }
    }

    @Test("a program that forbids our looking later is gone for a daemon of others, and known to its user's own")
    func closesLater() throws {
        for mayHide in [false, true] {
            try scene.start("closing", launcher: nobody)
            let socket = try scene.accept()
            try asUser(65534) {
                let peer = try Handshake.accept(
                    socket, largestPacket: Scene.packetSize, mayHide: mayHide, milliseconds: Scene.timeout)
                #expect(peer.evidence.image?.path == scene.client)
                try peer.recheck()
                try peer.say("close")
                #expect(try peer.text() == "closed")
                if mayHide {
                    try peer.recheck()
                    try peer.recheckEverything()
                } else {
                    #expect(throws: PeerError.imageChanged) { try peer.recheck() }
                }
            }
        }
    }

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
