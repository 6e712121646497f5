// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCoding
import KeychainModel
import KeychainSecretService
import TestProcesses
import Testing

@Suite struct CollectionRegistryTests {
    private let folder: TestFolder

    init() throws { folder = try TestFolder() }

    private func registry(at now: UInt64 = 1000) -> CollectionRegistry {
        CollectionRegistry(root: folder.path) { now }
    }

    @Test("without a file there is the usual keychain alone")
    func none() throws {
        let list = try registry().collections()
        #expect(list.collections.isEmpty && list.aliases.isEmpty)
        #expect(list.collection(of: "default") == "login" && list.collection(of: "login") == "login")
        #expect(list.collection(of: "other") == nil && list.collection(of: "") == nil)
        #expect(!FileManager.default.fileExists(atPath: registry().path))
    }

    @Test("a collection is found by the label that it was made with, and by no other one's")
    func names() throws {
        let registry = registry()
        let labels = [
            "Default keyring", "Default keyring", "aws-vault", "ü-ber", "login", "session", "", "../../x", "İ",
        ]
        let made = try labels.map { try registry.add(label: $0) }
        #expect(
            made.map(\.id) == [
                "Default keyring", "Default keyring 2", "aws-vault", "ü-ber", "login 2", "session 2", "collection",
                "../../x", "İ",
            ])
        #expect(
            made.map(\.keychain) == [
                "default-keyring", "default-keyring-2", "aws-vault", "ber", "login-2", "session-2", "collection", "x",
                "collection-2",
            ])
        #expect(made.map(\.label) == labels)
        #expect(try self.registry().collections().collections.map(\.id) == made.map(\.id))
    }

    @Test("a keychain that is there already is no new collection's")
    func taken() throws {
        _ = try folder.makeFolder("work")
        #expect(try registry().add(label: "Work").keychain == "work-2")
    }

    @Test("labels and aliases stay, and go with their collection")
    func changes() throws {
        let registry = registry(at: 1000)
        _ = try registry.add(label: "Work")
        let later = self.registry(at: 2000)
        #expect(try later.setLabel("Office", of: "Work"))
        #expect(try later.setAlias("default", to: "Work") && later.setAlias("mine", to: "login"))
        #expect(try !later.setAlias("mine", to: "none") && !later.setLabel("a", of: "none"))
        var list = try self.registry().collections()
        #expect(list["Work"]?.label == "Office" && list["Work"]?.created == 1000 && list["Work"]?.modified == 2000)
        #expect(list.collection(of: "default") == "Work" && list.collection(of: "mine") == "login")
        #expect(try later.remove("Work") && !later.remove("Work"))
        list = try self.registry().collections()
        #expect(list.collection(of: "default") == "login" && list.collections.isEmpty)
        #expect(try later.setAlias("mine", to: nil))
        #expect(try self.registry().collections().collection(of: "mine") == nil)
    }

    @Test("the usual keychain may be called otherwise, and is not taken out of the list for that")
    func usualLabel() throws {
        #expect(try registry().setLabel("Mine", of: "login"))
        #expect(try registry().collections()["login"]?.label == "Mine")
        #expect(try registry().collections()["login"]?.keychain == "login")
    }

    @Test("labels that no bus sends are refused", arguments: ["a\0b", String(repeating: "a", count: 1001)])
    func badLabels(label: String) throws {
        #expect(refusal { try registry().add(label: label) } == .parameter)
        #expect(refusal { try registry().setLabel(label, of: "login") } == .parameter)
        #expect(refusal { try registry().setAlias("a\0", to: "login") } == .parameter)
        #expect(refusal { try registry().setAlias("", to: "login") } == .parameter)
        #expect(try registry().collections().collections.isEmpty)
    }

    @Test("the file is its owner's alone")
    func mode() throws {
        _ = try registry().add(label: "Work")
        let mode = try FileManager.default.attributesOfItem(atPath: registry().path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: registry().path)
        #expect(refusal { try registry().collections() } == .notAvailable)
    }

    @Test("a damaged file is told of and left alone, until somebody moves it away")
    func damage() throws {
        _ = try registry().add(label: "Work")
        var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: registry().path)))
        bytes[bytes.count / 2] ^= 0x80
        try Data(bytes).write(to: URL(fileURLWithPath: registry().path))
        let damaged = registry()
        for _ in 0..<2 {
            #expect(refusal { try damaged.collections() } == .undecodable)
            #expect(refusal { try damaged.add(label: "Other") } == .undecodable)
            #expect(refusal { try damaged.setAlias("default", to: "login") } == .undecodable)
        }
        #expect([UInt8](try Data(contentsOf: URL(fileURLWithPath: registry().path))) == bytes)
        try FileManager.default.moveItem(atPath: registry().path, toPath: registry().path + ".damaged")
        #expect(try damaged.collections().collections.isEmpty)
        #expect(try damaged.add(label: "Other").id == "Other")
    }

    @Test("no byte of the file can be changed unnoticed into another list, or crashes who reads it")
    func everyByte() throws {
        var list = CollectionList()
        _ = try list.add(label: "Work", at: 5) { _ in false }
        _ = try list.setAlias("default", to: "Work")
        let bytes = try list.encoded()
        #expect(try CollectionList(decoding: bytes).encoded() == bytes)
        for index in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[index] ^= 1 << UInt8(bit)
                guard let read = try? CollectionList(decoding: changed) else { continue }
                #expect(try read.encoded() == changed)
            }
            #expect((try? CollectionList(decoding: Array(bytes[..<index]))) == nil)
        }
    }
}
