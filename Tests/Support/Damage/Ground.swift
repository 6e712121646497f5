// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainConnection
import Security

/// The place where one worker puts a damaged keychain and uses it.
final class Ground {
    let root: String

    init(_ root: String) throws {
        self.root = root
        try? FileManager.default.removeItem(atPath: root)
        try FileManager.default.createDirectory(
            atPath: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    var place: Place { .folder(root: root, name: "login") }

    func opened() throws -> IsolatedKeychain {
        try IsolatedKeychain(.folder(URL(fileURLWithPath: root, isDirectory: true)))
    }

    /// Puts a keychain's files in place, one of them damaged, and nothing else.
    func lay(_ keychain: SampleKeychain, _ damage: Damage?) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: root) where keychain.files[name] == nil {
            if name != "login" { try FileManager.default.removeItem(atPath: "\(root)/\(name)") }
        }
        let folder = root + "/login"
        mkdir(folder, 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) { unlink("\(folder)/\(name)") }
        for (path, content) in keychain.files {
            let file = open("\(root)/\(path)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Trouble("\(path) cannot be made: \(errno)") }
            defer { close(file) }
            let content = damage?.file == path ? damage?.applied(to: content) ?? content : content
            // The reserve is zeros: room enough, without writing them each time.
            if path.hasSuffix("reserve"), damage?.file != path {
                ftruncate(file, off_t(content.count))
            } else {
                guard write(file, content, content.count) == content.count else { throw Trouble("\(path): \(errno)") }
            }
        }
    }
}

/// What fifty items are, and how they are looked for.
struct Expectation {
    struct Item {
        let name: String
        let number: Int
        /// Asks for its secret by what makes it unique.
        let query: CFDictionary
        let secret: [UInt8]
        let whole: NSDictionary
    }

    let items: [Item]
    private let counts: [String: Int]
    /// The same by their persistent references.
    let byReference: [Data: Item]
    static let classes = ["genp", "inet", "cert", "keys"]

    /// What makes an item of a class unique.
    private static let identities = [
        "genp": ["agrp", "svce", "acct"], "inet": ["agrp", "srvr", "acct", "ptcl", "port", "path"],
        "cert": ["agrp", "issr", "slnr"], "keys": ["agrp", "klbl", "kcls"],
    ]
    private static let wishes: [String: any Sendable] = ["r_Attributes": true, "r_Data": true, "r_PersistentRef": true]

    /// The references of all items of a class.
    static func references(
        _ itemClass: String, in keychain: IsolatedKeychain
    ) -> (status: OSStatus, references: [Data]) {
        let query: [String: Any] = ["class": itemClass, "m_Limit": "m_LimitAll", "r_PersistentRef": true]
        var result: CFTypeRef?
        let status = keychain.use { SecItemCopyMatching(query as CFDictionary, &result) }
        return (status, result as? [Data] ?? [])
    }

    static func list(_ itemClass: String, in keychain: IsolatedKeychain) -> (status: OSStatus, items: [NSDictionary]) {
        let query = wishes.merging(["class": itemClass, "m_Limit": "m_LimitAll"]) { $1 }
        var result: CFTypeRef?
        let status = keychain.use { SecItemCopyMatching(query as CFDictionary, &result) }
        return (status, result as? [NSDictionary] ?? [])
    }

    /// Reads a keychain that is as it should be.
    init(_ keychain: IsolatedKeychain) throws {
        var items: [Item] = []
        for itemClass in Expectation.classes {
            for whole in Expectation.list(itemClass, in: keychain).items {
                let text = whole["labl"] as? String ?? ""
                let name = itemClass == "genp" ? whole["acct"] as? String ?? "" : text
                guard let number = name.split(separator: " ").last.flatMap({ Int($0) }) else {
                    throw Trouble("an item without a number: \(whole)")
                }
                var query: [String: Any] = ["class": itemClass, "r_Data": true]
                for key in Expectation.identities[itemClass] ?? [] { query[key] = whole[key] }
                items.append(
                    Item(
                        name: name, number: number, query: query as CFDictionary,
                        secret: [UInt8](whole["v_Data"] as? Data ?? Data()), whole: whole))
            }
        }
        guard items.count == SampleKeychain.count else { throw Trouble("the sample has \(items.count) items") }
        self.items = items.sorted { $0.number < $1.number }
        counts = items.reduce(into: [:]) { $0[$1.whole["class"] as? String ?? "", default: 0] += 1 }
        byReference = Dictionary(items.map { (Expectation.reference($0.whole), $0) }) { $1 }
    }

    func count(of itemClass: String) -> Int { counts[itemClass] ?? 0 }

    static func reference(_ item: NSDictionary) -> Data { item["v_PersistentRef"] as? Data ?? Data() }
}
