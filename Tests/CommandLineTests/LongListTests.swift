// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools
internal import Testing

/// Lists that the tools read in parts.
@Suite struct LongListTests {
    private let scene: ToolScene
    private let keychain: ToolKeychain

    init() throws {
        scene = try ToolScene()
        keychain = try ToolKeychain(at: .folder(root: scene.file("keychains"), name: "login"))
        _ = try keychain.host.create(in: .software, makesRecoveryKey: false)
    }

    /// Stores items whose names are in the opposite order, in one transaction; returns the names.
    private func add(_ count: Int) throws -> [String] {
        let names = (0..<count).map { "item \(99_999 - $0)" }
        let entries = names.enumerated().map { number, name in
            var attributes = AttributeList()
            attributes[.account] = .string("ada")
            attributes[.service] = .string("service \(number)")
            attributes[.label] = .string(name)
            return AddAllRequest.Entry.item(
                AddRequest(
                    itemClass: .genericPassword, attributes: attributes, group: .named(AccessGroup.passwords.name),
                    protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
                    secret: SecretValue(copying: Array("secret".utf8)), returning: [], origin: .caller))
        }
        _ = try keychain.session(of: .person).add(AddAllRequest(entries: entries, returning: []))
        return names
    }

    private func first(_ answer: ToolScene.Answer) -> [String] {
        answer.output.split(separator: "\n").map { String($0.split(separator: "\t", maxSplits: 1)[0]) }
    }

    @Test("more than ten thousand items come in the order of storing, whole, in every form; fewer by name")
    func long() throws {
        let names = try add(10_001)
        let json = try scene.tool("list", "--json")
        let objects = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
        #expect(objects?.compactMap { $0["name"] as? String } == names)
        let table = try scene.tool("list").output.split(separator: "\n")
        #expect(table.count == names.count + 1)
        let head = table.first?.split(separator: " ", omittingEmptySubsequences: true)
        #expect(head == ["NAME", "USER", "FOR", "KIND", "CHANGED", "DAMAGED"])
        let missing = try scene.tool("get", "Item 99999x")
        #expect(missing.code == 44)
        #expect(missing.complaint.contains("did you mean item 99999"), "\(missing.complaint)")
        #expect(try scene.tool("remove", names[0]).code == 0)
        #expect(first(try scene.tool("list", "--plain")) == names.dropFirst().reversed())
    }

    @Test("the parts are the whole list, whatever their size", arguments: [1, 7, 24, 25, 26, 1000])
    func parts(rows: Int) throws {
        let names = try add(25)
        let predicate = ItemPredicate(
            queriedClass: .stored(.genericPassword), attributes: AttributeList(), groups: .everyGroupOfCaller,
            synchronizable: .any, tombstones: false, accessibility: nil, restriction: .none, filters: [])
        let pages = ItemPages(predicate, returning: [.attributes, .data], in: keychain, of: .person, rows: rows)
        var found: [String] = []
        while let part = try pages.next() {
            #expect(part.count <= rows)
            for case .item(let item) in part {
                if case .string(let label)? = item.attributes?[.label], item.secret != nil { found.append(label) }
            }
        }
        #expect(found == names)
    }
}
