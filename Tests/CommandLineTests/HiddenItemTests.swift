// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools
internal import Testing

/// Items that the tools themselves do not make: a program does, and the tools meet them.
@Suite("invisible and negative items (decisions D25 and D26)") struct HiddenItemTests {
    private let scene: ToolScene

    init() throws {
        scene = try ToolScene()
        try FileManager.default.createSymbolicLink(
            atPath: scene.file("security"), withDestinationPath: try ToolScene.built("llavero"))
        try add("seen", secret: "s1", [])
        try add("unseen", secret: "s2", [.isInvisible])
        try add("never", secret: nil, [.isNegative])
    }

    /// Adds a password to the person's own, or to those that programs keep.
    private func add(
        _ service: String, secret: String?, _ marks: [Attribute], of owners: ItemOwners = .person
    ) throws {
        let keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        if try !keychain.isThere { _ = try keychain.host.create(in: .software, makesRecoveryKey: false) }
        var list = AttributeList()
        list[.service] = .string(service)
        list[.account] = .string("alice")
        for mark in marks { list[mark] = .number(1) }
        try keychain.add(
            AddRequest(
                itemClass: .genericPassword, attributes: list, group: .everyGroupOfCaller,
                protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
                secret: secret.map { SecretValue(copying: Array($0.utf8)) }, returning: [], origin: .caller), of: owners
        )
    }

    private func names(_ words: String...) throws -> [String] {
        let answer = try scene.run(ToolScene.built("llavero"), ["list", "--plain"] + words)
        #expect(answer.code == 0, "\(answer.complaint)")
        return answer.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    }

    private func security(_ service: String) throws -> ToolScene.Answer {
        try scene.run(scene.file("security"), ["find-generic-password", "-s", service, "-w"])
    }

    @Test("an invisible item is in a list only if all is asked for; a negative one is in every list")
    func lists() throws {
        #expect(try names() == ["never", "seen"])
        #expect(try names("--apps") == ["never", "seen"])
        #expect(try names("--all") == ["never", "seen", "unseen"])
    }

    @Test("an invisible item is got by who asks for all, and found by who names it to security")
    func invisible() throws {
        let hidden = try scene.tool("get", "unseen")
        #expect(hidden.code != 0)
        #expect(hidden.output == "")
        let shown = try scene.tool("get", "unseen", "--all")
        #expect(shown == ToolScene.Answer(code: 0, output: "s2\n", complaint: ""))
        #expect(try security("unseen") == ToolScene.Answer(code: 0, output: "s2\n", complaint: ""))
    }

    @Test("a negative item answers that there is no password, as one that is not there")
    func negative() throws {
        let answer = try scene.tool("get", "never")
        #expect(answer.code == 1)
        #expect(answer.output == "")
        #expect(answer.complaint.contains("records that no password is stored and that programs have to ask"))
        let found = try security("never")
        #expect(found.code == 44)
        #expect(found.output == "")
        #expect(found.complaint.contains("The specified item could not be found in the keychain."))
        #expect(try security("seen").output == "s1\n")
    }

    @Test("nothing is stored over a negative item of programs")
    func keeps() throws {
        try add("mine", secret: nil, [.isNegative], of: .programs)
        let words = ["add-generic-password", "-s", "mine", "-a", "alice", "-w", "p"]
        for more in [[], ["-U"]] {
            let answer = try scene.run(scene.file("security"), words + more)
            #expect(answer.code == 45)
            #expect(answer.complaint.contains("The specified item already exists in the keychain."))
            #expect(try security("mine").code == 44)
        }
    }
}
