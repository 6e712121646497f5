// SPDX-License-Identifier: Apache-2.0

package import KeychainCoding
package import KeychainModel

/// Which collections of the Secret Service there are beside the one in memory, and what they are called.
///
/// The one of the usual keychain is always there, called `login`; the file has it only once somebody gave it another label.
package struct CollectionList: Sendable {
    package struct Collection: Sendable {
        /// The last part of its path, before that is encoded: the label that it was made with, or one like it.
        package let id: String
        /// The keychain that its items are in.
        package let keychain: String
        package fileprivate(set) var label: String
        /// In seconds since 1970.
        package let created: UInt64
        package fileprivate(set) var modified: UInt64
    }

    /// In the order in which they were made.
    package private(set) var collections: [Collection] = []
    /// What each alias means that was set, by name.
    package private(set) var aliases: [String: String] = [:]

    package init() {}

    package static let login = "login"
    /// Of the collection in memory, which is in no file.
    package static let session = "session"

    package subscript(id: String) -> Collection? { collections.first { $0.id.hasSameBytes(as: id) } }

    /// The collection that an alias means; nil where it means none.
    ///
    /// `default` means the usual keychain, as `login` does, unless somebody chose another one.
    package func collection(of alias: String) -> String? {
        aliases[alias] ?? (alias == "default" || alias == CollectionList.login ? CollectionList.login : nil)
    }
}

// MARK: - Changes

extension CollectionList {
    /// Takes a new collection in; `isTaken` says of a name whether there is a keychain that is called so.
    ///
    /// Programs look for a collection by the label that they made it with, decoded from its path, so it keeps that as its name.
    package mutating func add(
        label: String, at now: UInt64, isTaken: (String) throws(KeychainError) -> Bool
    ) throws(KeychainError) -> Collection {
        try CollectionList.check(label)
        guard collections.count < CollectionList.most else {
            throw KeychainError(.notAvailable, "there are as many collections as there can be; remove one first")
        }
        let start = CollectionList.prefix(of: label.isEmpty ? "collection" : label, bytes: CollectionList.longestID - 4)
        let id = try CollectionList.free(start, separator: " ") { (id) throws(KeychainError) in
            id == CollectionList.login || id == CollectionList.session || collections.contains { $0.id == id }
        }
        let keychain = try CollectionList.free(CollectionList.keychainName(of: label), separator: "-") {
            (name) throws(KeychainError) in
            // File systems may hold two names for one that differ in the size of their letters.
            if CollectionList.reserved.contains(name) || collections.contains(where: { $0.keychain == name }) {
                return true
            }
            return try isTaken(name)
        }
        let collection = Collection(id: id, keychain: keychain, label: label, created: now, modified: now)
        collections.append(collection)
        return collection
    }

    /// Gives a collection another label; false where there is none of that name.
    package mutating func setLabel(_ label: String, of id: String, at now: UInt64) throws(KeychainError) -> Bool {
        try CollectionList.check(label)
        if let index = collections.firstIndex(where: { $0.id.hasSameBytes(as: id) }) {
            collections[index].label = label
            collections[index].modified = max(now, collections[index].created)
            return true
        }
        guard id == CollectionList.login else { return false }
        collections.append(Collection(id: id, keychain: id, label: label, created: now, modified: now))
        return true
    }

    /// Takes a collection out, and every alias that means it; false where there is none of that name.
    package mutating func remove(_ id: String) -> Bool {
        guard let index = collections.firstIndex(where: { $0.id.hasSameBytes(as: id) }) else { return false }
        collections.remove(at: index)
        aliases = aliases.filter { !$0.value.hasSameBytes(as: id) }
        return true
    }

    /// Has an alias mean a collection, or with nil what it means when nobody says anything; false where there is no such
    /// collection.
    package mutating func setAlias(_ alias: String, to id: String?) throws(KeychainError) -> Bool {
        guard let id else {
            aliases[alias] = nil
            return true
        }
        guard CollectionList.isText(alias, atMost: CollectionList.longestID), !alias.isEmpty else {
            throw KeychainError(.parameter, "the name of an alias is a short text")
        }
        guard id == CollectionList.login || self[id] != nil else { return false }
        guard aliases[alias] != nil || aliases.count < CollectionList.most else {
            throw KeychainError(.notAvailable, "there are as many aliases as there can be; remove one first")
        }
        aliases[alias] = id
        return true
    }

    private static func check(_ label: String) throws(KeychainError) {
        guard isText(label, atMost: longestLabel) else {
            throw KeychainError(.parameter, "the label of a collection is a text of up to 1000 bytes")
        }
    }

    /// The first of a name and the names with a number behind it that is free.
    private static func free(
        _ name: String, separator: String, isTaken: (String) throws(KeychainError) -> Bool
    ) throws(KeychainError) -> String {
        if try !isTaken(name) { return name }
        for number in 2..<1000 {
            let other = "\(name)\(separator)\(number)"
            if try !isTaken(other) { return other }
        }
        throw KeychainError(.notAvailable, "there are too many collections of this name")
    }

    /// A name of letters and digits, as keychains have, that reminds of a label.
    private static func keychainName(of label: String) -> String {
        var name: [UInt8] = []
        for byte in label.utf8 where name.count < 40 {
            switch byte {
            case 0x30...0x39, 0x61...0x7A: name.append(byte)
            // In small letters, so that no two differ in their size alone.
            case 0x41...0x5A: name.append(byte | 0x20)
            default: if let last = name.last, last != UInt8(ascii: "-") { name.append(UInt8(ascii: "-")) }
            }
        }
        if name.last == UInt8(ascii: "-") { name.removeLast() }
        return name.isEmpty ? "collection" : String(decoding: name, as: UTF8.self)
    }

    /// As much of a text as has room, up to the end of a character.
    private static func prefix(of text: String, bytes: Int) -> String {
        var (prefix, count) = ("", 0)
        for character in text {
            count += character.utf8.count
            if count > bytes { break }
            prefix.append(character)
        }
        return prefix.isEmpty ? "collection" : prefix
    }

    /// Texts that come over a bus: without NUL.
    private static func isText(_ text: String, atMost most: Int) -> Bool {
        text.utf8.count <= most && !text.contains(byte: 0)
    }

    /// Names of keychains that mean something else already.
    private static let reserved: Set = [login, session, "memory"]
    private static let most = 500
    private static let longestID = 200
    private static let longestLabel = 1000
}

// MARK: - The file

extension CollectionList {
    package func encoded() throws(CodingError) -> [UInt8] {
        let list = collections.map { collection in
            PropertyList.dictionary([
                "id": .string(collection.id), "keychain": .string(collection.keychain),
                "label": .string(collection.label), "created": .number(Int64(clamping: collection.created)),
                "modified": .number(Int64(clamping: collection.modified)),
            ])
        }
        return try PropertyList.dictionary([
            "version": .number(1), "collections": .array(list),
            "aliases": .dictionary(aliases.mapValues { .string($0) }),
        ]).encoded()
    }

    /// The list of `bytes`, which must be exactly what `encoded()` gives for it, and what the functions above can make.
    package init(decoding bytes: [UInt8]) throws(CodingError) {
        guard case .dictionary(let fields) = try PropertyList(decoding: bytes), fields.count == 3,
            case .number(1)? = fields["version"], case .array(let list)? = fields["collections"],
            case .dictionary(let names)? = fields["aliases"]
        else { throw .wrongType }
        guard list.count <= CollectionList.most + 1, names.count <= CollectionList.most else { throw .malformed }
        for fields in list {
            let collection = try Collection(fields)
            let isAlone = collections.allSatisfy { $0.id != collection.id && $0.keychain != collection.keychain }
            guard isAlone else { throw .duplicateKey }
            collections.append(collection)
        }
        for (alias, value) in names {
            guard case .string(let id) = value else { throw .wrongType }
            guard !alias.isEmpty, CollectionList.isText(alias, atMost: CollectionList.longestID),
                id == CollectionList.login || self[id] != nil
            else { throw .malformed }
            aliases[alias] = id
        }
    }
}

extension CollectionList.Collection {
    fileprivate init(_ value: PropertyList) throws(CodingError) {
        guard case .dictionary(let fields) = value, fields.count == 5, case .string(let id)? = fields["id"],
            case .string(let keychain)? = fields["keychain"], case .string(let label)? = fields["label"],
            case .number(let created)? = fields["created"], case .number(let modified)? = fields["modified"]
        else { throw .wrongType }
        let isUsual = id == CollectionList.login
        guard !id.isEmpty, CollectionList.isText(id, atMost: CollectionList.longestID), id != CollectionList.session,
            CollectionList.isText(label, atMost: CollectionList.longestLabel), created >= 0, modified >= created,
            isUsual ? keychain == CollectionList.login : CollectionList.isKeychain(keychain)
        else { throw .malformed }
        self.init(
            id: id, keychain: keychain, label: label, created: UInt64(created), modified: UInt64(modified))
    }
}

extension CollectionList {
    /// Whether a keychain of a collection can be called so.
    fileprivate static func isKeychain(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != UInt8(ascii: "-"), name.utf8.count <= 64 else { return false }
        return !reserved.contains(name)
            && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == 0x2D }
    }
}
