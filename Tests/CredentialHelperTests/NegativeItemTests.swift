// SPDX-License-Identifier: Apache-2.0

internal import CredentialHelpers
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools
internal import Testing

@Suite("items that say there is no password (decision D26)") struct NegativeItemTests {
    private let scene: HelperScene

    init() throws { scene = try HelperScene() }

    /// Adds an item as a program does that uses the same keychain.
    private func add(
        _ itemClass: ItemClass, secret: String? = nil, _ attributes: [(Attribute, AttributeValue)]
    ) throws {
        let keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        if try !keychain.isThere { _ = try keychain.host.create(in: .software, makesRecoveryKey: false) }
        var list = AttributeList()
        for (attribute, value) in attributes { list[attribute] = value }
        if secret == nil { list[.isNegative] = .number(1) }
        try keychain.add(
            AddRequest(
                itemClass: itemClass, attributes: list, group: .everyGroupOfCaller, protection: .byClassAndGroup,
                isSynchronizable: false, isTombstone: false, secret: secret.map { SecretValue(text: $0) },
                returning: [], origin: .caller), of: .person)
    }

    private func git(_ event: String, _ more: String = "") throws -> String {
        try scene.need("git-credential-llavero", event, input: "protocol=https\nhost=example.com\n" + more)
    }

    @Test("git is told nothing of such a server, and what was typed is not kept")
    func server() throws {
        #expect(try git("store", "username=alice\npassword=p\n") == "")
        try add(.internetPassword, [(.server, .string("example.com")), (.protocol, .string("htps"))])
        #expect(try git("get") == "")
        #expect(try git("get", "username=alice\n") == "")
        #expect(try git("store", "username=bob\npassword=q\n") == "")
        #expect(try git("get", "username=bob\n") == "")
        // What is negative is no wrong password.
        #expect(try git("erase") == "")
        #expect(try git("store", "username=bob\npassword=q\n") == "")
        #expect(try git("get") == "")
    }

    @Test("where it names an account, the others have their passwords")
    func account() throws {
        try add(
            .internetPassword,
            [(.server, .string("example.com")), (.protocol, .string("htps")), (.account, .string("alice"))])
        #expect(try git("store", "username=alice\npassword=p\n") == "")
        #expect(try git("get", "username=alice\n") == "")
        #expect(try git("store", "username=bob\npassword=q\n") == "")
        #expect(try git("get") == "username=bob\npassword=q\n")
        #expect(try git("get", "username=alice\n") == "")
    }

    @Test("docker finds nothing for such a registry, and stores nothing over it")
    func docker() throws {
        try add(.internetPassword, [(.server, .string("example.com"))])
        let stored = try scene.run(
            "docker-credential-llavero", "store",
            input: #"{"ServerURL":"https://example.com/v1/","Username":"u","Secret":"s"}"#)
        #expect(stored.code == 1)
        #expect(stored.output.contains("nothing was stored"))
        let found = try scene.run("docker-credential-llavero", "get", input: "https://example.com/v1/")
        #expect(found.output == "credentials not found in native keychain\n")
    }

    @Test("the askpass does not answer with another item of that name")
    func askpass() throws {
        let name = AttributeValue.string("sudo: alice")
        try add(.genericPassword, secret: "s", [(.label, name), (.service, .string("a"))])
        #expect(try scene.need("llavero-askpass", "[sudo] password for alice: ") == "s\n")
        try add(.genericPassword, [(.label, name), (.service, .string("b"))])
        let answer = try scene.run("llavero-askpass", "[sudo] password for alice: ")
        #expect(answer.code == 1 && answer.output == "")
    }

    @Test("cargo is told that there is no token, and none is stored or removed")
    func cargo() throws {
        let index = "sparse+https://crates.example/"
        try add(.genericPassword, [(.service, .string("cargo-registry:" + index)), (.account, .string(""))])
        let registry = #""registry":{"index-url":"\#(index)"}"#
        let questions = [
            #"{"v":1,\#(registry),"kind":"get","operation":"read"}"#,
            #"{"v":1,\#(registry),"kind":"login","token":"x"}"#, #"{"v":1,\#(registry),"kind":"logout"}"#,
        ]
        let said = try scene.need(
            "cargo-credential-llavero", "--cargo-plugin", input: questions.map { $0 + "\n" }.joined())
        let answers = said.split(separator: "\n")
        #expect(answers[1] == #"{"Err":{"kind":"not-found"}}"#)
        #expect(answers[2].contains("negative item"))
        #expect(answers[3] == #"{"Err":{"kind":"not-found"}}"#)
    }

    @Test("Python's keyring finds nothing, and cannot store or remove it")
    func keyring() throws {
        try add(.genericPassword, [(.service, .string("mail")), (.account, .string("ada"))])
        let names = #"{"service":"mail","username":"ada","password":"x"}"#
        #expect(try scene.need("llavero", "keyring", "get", input: names) == "null\n")
        #expect(try scene.run("llavero", "keyring", "set", input: names).complaint.contains("negative item"))
        #expect(try scene.run("llavero", "keyring", "delete", input: names).code == 44)
    }
}
