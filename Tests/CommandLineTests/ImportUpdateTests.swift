// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools
internal import Testing

@Suite("what `llavero import --update` takes for its own change") struct ImportUpdateTests {
    private let scene: ToolScene

    init() throws { scene = try ToolScene() }

    @Test("another program's change stays, however soon behind an update it comes")
    func changedBehindUpdate() throws {
        try importing("one")
        try importing("two", "--update")
        try importing("three", "--update")
        #expect(try password() == "three\n")
        let keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        var attributes = AttributeList()
        attributes[.label] = .string("mail")
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: attributes, groups: .named("llavero.passwords"),
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        let changes = ItemChanges(
            attributes: AttributeList(), group: nil, accessControl: nil, isSynchronizable: nil,
            secret: SecretValue(copying: Array("theirs".utf8)))
        try keychain.update(UpdateRequest(predicate: predicate, changes: changes, tombstones: .never), of: .person)
        let answer = try importing("four", "--update")
        #expect(answer.contains("it was changed here on"))
        #expect(try password() == "theirs\n")
    }

    @discardableResult
    private func importing(_ password: String, _ options: String...) throws -> String {
        try scene.write("Title,Username,Password\nmail,ada,\(password)\n", to: "a.csv")
        return try scene.run(ToolScene.built("llavero"), ["import", scene.file("a.csv")] + options).output
    }

    private func password() throws -> String { try scene.tool("get", "mail").output }
}
