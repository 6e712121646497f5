// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation
internal import Security

/// A right that is kept, with a key and a secret that it opens.
///
/// Key and secret are items with an access control: the keychain keeps to it, whatever a program does.
public final class LAPersistedRight: LARight, @unchecked Sendable {
    let identifier: String

    init(_ identifier: String, _ requirement: LAAuthenticationRequirement) {
        self.identifier = identifier
        super.init(requirement: requirement)
    }

    /// The key that it opens, which stays in the enclave.
    public var key: LAPrivateKey { LAPrivateKey(self) }

    /// The secret that it opens; nothing where it was saved without one.
    public var secret: LASecret { LASecret(self) }
}

/// A secret that a right opens.
public final class LASecret: NSObject, @unchecked Sendable {
    private let right: LAPersistedRight

    init(_ right: LAPersistedRight) {
        self.right = right
        super.init()
    }

    /// The bytes; asks where the right was not allowed before.
    public var rawData: Data {
        get async throws { try await StoredRight(right).secret() }
    }
}

/// Where rights are kept: the program's keychain.
public final class LARightStore: NSObject, @unchecked Sendable {
    private override init() {}

    /// The only one.
    public static let shared = LARightStore()

    /// The right that was saved under a name; throws where there is none.
    public func right(forIdentifier identifier: String) async throws -> LAPersistedRight {
        try StoredRight.load(identifier)
    }

    /// Saves a right under a name, with a new key.
    public func saveRight(_ right: LARight, identifier: String) async throws -> LAPersistedRight {
        try await saveRight(right, identifier: identifier, secret: Data())
    }

    /// Saves a right under a name, with a new key and a secret; throws where the name is taken.
    public func saveRight(_ right: LARight, identifier: String, secret: Data) async throws -> LAPersistedRight {
        try StoredRight.save(right, identifier, secret)
    }

    /// Removes a right with its key and its secret.
    public func removeRight(_ right: LAPersistedRight) async throws { try StoredRight.remove(right.identifier) }

    /// Removes the right that was saved under a name.
    public func removeRight(forIdentifier identifier: String) async throws { try StoredRight.remove(identifier) }

    /// Removes every right of the program.
    public func removeAllRights() async throws { try StoredRight.remove(nil) }
}

/// The two items that a saved right is.
struct StoredRight {
    private static let service = "org.llavero.right"
    private let right: LAPersistedRight

    init(_ right: LAPersistedRight) { self.right = right }

    private static func tag(_ identifier: String) -> Data { Data((service + ":" + identifier).utf8) }

    private static func item(_ identifier: String?) -> [CFString: Any] {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: service]
        query[kSecAttrAccount] = identifier
        return query
    }

    private static func check(_ status: OSStatus) throws {
        guard status == errSecSuccess else {
            throw NSError(
                domain: NSOSStatusErrorDomain, code: Int(status),
                userInfo: [NSLocalizedDescriptionKey: Llavero.lastFailure ?? ""])
        }
    }

    static func save(_ right: LARight, _ identifier: String, _ secret: Data) throws -> LAPersistedRight {
        guard !identifier.isEmpty else {
            try check(errSecParam)
            throw LAError(.invalidContext)
        }
        var entries = item(identifier)
        entries[kSecValueData] = secret
        entries[kSecAttrAccessControl] = try right.requirement.accessControl(forKey: false)
        // What it demands, for who loads it: an access control does not say it in words.
        entries[kSecAttrGeneric] = Data(String(right.requirement.flags.rawValue).utf8)
        try check(SecItemAdd(entries as CFDictionary, nil))
        let attributes: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256,
            kSecAttrTokenID: kSecAttrTokenIDSecureEnclave,
            kSecPrivateKeyAttrs: [
                kSecAttrIsPermanent: true, kSecAttrApplicationTag: tag(identifier),
                kSecAttrAccessControl: try right.requirement.accessControl(forKey: true),
            ] as [CFString: Any],
        ]
        var error: Unmanaged<CFError>?
        guard unsafe SecKeyCreateRandomKey(attributes as CFDictionary, &error) != nil else {
            SecItemDelete(item(identifier) as CFDictionary)
            throw unsafe error?.takeRetainedValue() ?? NSError(domain: NSOSStatusErrorDomain, code: Int(errSecInternal))
        }
        return LAPersistedRight(identifier, right.requirement)
    }

    static func load(_ identifier: String) throws -> LAPersistedRight {
        var query = item(identifier)
        query[kSecReturnAttributes] = true
        var result: CFTypeRef?
        try check(unsafe SecItemCopyMatching(query as CFDictionary, &result))
        let flags = ((result as? NSDictionary)?[kSecAttrGeneric] as? Data)
            .flatMap { UInt(String(decoding: $0, as: UTF8.self)) }
        guard let flags else { throw LAError(.invalidContext, explanation: "the stored right cannot be read") }
        return LAPersistedRight(identifier, LAAuthenticationRequirement(SecAccessControlCreateFlags(rawValue: flags)))
    }

    static func remove(_ identifier: String?) throws {
        var names: [String] = []
        if let identifier {
            names = [identifier]
        } else {
            var query = item(nil)
            query[kSecReturnAttributes] = true
            query[kSecMatchLimit] = kSecMatchLimitAll
            var result: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &result)
            if status == errSecItemNotFound { return }
            try check(status)
            names = ((result as? [NSDictionary]) ?? []).compactMap { $0[kSecAttrAccount] as? String }
        }
        for name in names {
            let key: [CFString: Any] = [kSecClass: kSecClassKey, kSecAttrApplicationTag: tag(name)]
            let status = SecItemDelete(key as CFDictionary)
            if status != errSecItemNotFound { try check(status) }
            try check(SecItemDelete(item(name) as CFDictionary))
        }
    }

    func secret() async throws -> Data {
        var query = Self.item(right.identifier)
        query[kSecReturnData] = true
        query[kSecUseAuthenticationContext] = right.context
        return try await Llavero.items.copyMatching(query as CFDictionary) as? Data ?? Data()
    }

    func key() throws -> SecKey {
        let query: [CFString: Any] = [
            kSecClass: kSecClassKey, kSecAttrApplicationTag: Self.tag(right.identifier), kSecReturnRef: true,
            kSecUseAuthenticationContext: right.context,
        ]
        var result: CFTypeRef?
        try Self.check(unsafe SecItemCopyMatching(query as CFDictionary, &result))
        guard let key = result as? SecKey else { throw LAError(.invalidContext, explanation: "the key is not there") }
        return key
    }
}
