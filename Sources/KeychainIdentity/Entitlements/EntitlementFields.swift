// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainModel
internal import KeychainSystem

/// The entries of one dictionary, each taken once; what is left in the end was not understood.
struct EntitlementFields {
    private var entries: [String: PropertyList]

    init(_ entries: [String: PropertyList]) { self.entries = entries }

    mutating func take(_ key: String) -> PropertyList? { entries.removeValue(forKey: key) }

    mutating func dictionary(_ key: String) throws(EntitlementFault) -> EntitlementFields? {
        switch entries.removeValue(forKey: key) {
        case nil: return nil
        case .dictionary(let entries): return EntitlementFields(entries)
        default: throw .wrongValue(key)
        }
    }

    /// A string that is neither empty nor contains NUL.
    mutating func name(_ key: String) throws(EntitlementFault) -> String? {
        guard let value = entries.removeValue(forKey: key) else { return nil }
        return try EntitlementFields.name(value, key)
    }

    mutating func names(_ key: String) throws(EntitlementFault) -> [String]? {
        switch entries.removeValue(forKey: key) {
        case nil: return nil
        case .array(let values):
            var names: [String] = []
            for value in values { names.append(try EntitlementFields.name(value, key)) }
            return names
        default: throw .wrongValue(key)
        }
    }

    /// A group by name or number; never root's, which setgid programs of many kinds have.
    mutating func group(_ key: String, _ groups: GroupDirectory) throws(EntitlementFault) -> UInt32? {
        let found: GroupDirectory.Group?
        switch entries.removeValue(forKey: key) {
        case nil: return nil
        case .string(let name):
            guard let group = groups.named(try EntitlementFields.name(.string(name), key)) else { throw .unknownGroup }
            found = group
        case .number(let number):
            guard let number = UInt32(exactly: number) else { throw .wrongValue(key) }
            // A number needs no name; one that has a name may have members.
            found = groups.numbered(number) ?? GroupDirectory.Group(number: number, hasMembers: false)
        default: throw .wrongValue(key)
        }
        guard let found, found.number != 0, found.number != UInt32.max else { throw .wrongValue(key) }
        guard !found.hasMembers else { throw .groupHasMembers }
        return found.number
    }

    /// 32 bytes, as data or as 64 hexadecimal digits.
    mutating func digest(_ key: String) throws(EntitlementFault) -> [UInt8]? {
        switch entries.removeValue(forKey: key) {
        case nil: return nil
        case .data(let bytes) where bytes.count == EntitlementFields.digestSize: return bytes
        case .string(let text):
            guard let bytes = Hexadecimal.bytes(of: text), bytes.count == EntitlementFields.digestSize else {
                throw .wrongValue(key)
            }
            return bytes
        default: throw .wrongValue(key)
        }
    }

    /// False when it is not there.
    mutating func truth(_ key: String) throws(EntitlementFault) -> Bool {
        switch entries.removeValue(forKey: key) {
        case nil: return false
        case .boolean(let value): return value
        default: throw .wrongValue(key)
        }
    }

    /// "any", or a list of numbers; nil stands for any.
    mutating func users(_ key: String) throws(EntitlementFault) -> Set<UInt32>? {
        switch entries.removeValue(forKey: key) {
        case nil, .string("any"): return nil
        case .array(let values):
            var users: Set<UInt32> = []
            for value in values {
                guard case .number(let number) = value, let user = UInt32(exactly: number), user != UInt32.max else {
                    throw .wrongValue(key)
                }
                users.insert(user)
            }
            guard !users.isEmpty else { throw .wrongValue(key) }
            return users
        default: throw .wrongValue(key)
        }
    }

    func finish() throws(EntitlementFault) {
        if let key = entries.keys.min() { throw .unknownKey(key) }
    }

    private static func name(_ value: PropertyList, _ key: String) throws(EntitlementFault) -> String {
        guard case .string(let name) = value, !name.isEmpty, !name.contains(byte: 0) else { throw .wrongValue(key) }
        return name
    }

    private static let digestSize = 32
}

/// Reads property lists that an administrator wrote, which are XML.
enum PropertyListFile {
    /// The dictionary in `bytes`; nil when there is none, or a value in it is of a kind our own lists do not have.
    static func dictionary(in bytes: [UInt8]) -> [String: PropertyList]? {
        guard let list = try? PropertyList(xml: bytes), list.isPlain, case .dictionary(let dictionary) = list else {
            return nil
        }
        return dictionary
    }
}

extension PropertyList {
    /// Whether each of its values is of a kind that means something here.
    fileprivate var isPlain: Bool {
        switch self {
        case .boolean, .number, .string, .data: true
        case .null, .date: false
        case .array(let values): values.allSatisfy(\.isPlain)
        case .dictionary(let values): values.values.allSatisfy(\.isPlain)
        }
    }
}
