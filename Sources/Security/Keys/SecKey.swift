// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainConnection
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into a dictionary.
// Sendable: it never changes.
/// A public, private or symmetric key.
public final class SecKey: NSObject, @unchecked Sendable {
    let key: CryptoKey
    let terms: KeyTerms
    /// The terms of the public half of a private key.
    let publicTerms: KeyTerms
    /// Who does with the key what its bytes are needed for, when they are not here.
    let keeper: KeyKeeper?
    /// The item it was found in or stored as.
    let item: KeyItem?

    init(
        _ key: CryptoKey, terms: KeyTerms = .none, publicTerms: KeyTerms = .none, keeper: KeyKeeper? = nil,
        item: KeyItem? = nil
    ) {
        self.key = key
        self.terms = terms
        self.publicTerms = publicTerms
        self.keeper = keeper
        self.item = item
        super.init()
    }

    /// Two references are equal when they are to the same part of the same key.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SecKey else { return false }
        if key.isEqual(to: other.key) { return true }
        // A symmetric key that stays where it is can only be told by its item.
        guard key.part == .symmetric, other.key.part == .symmetric, let item else { return false }
        return item.id == other.item?.id
    }

    /// A hash of what is public of the key: of a symmetric key that is its size alone.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(key.type)
        hasher.combine(key.part)
        hasher.combine(key.bits)
        hasher.combine(key.publicRepresentation)
        return hasher.finalize()
    }

    /// Says nothing of what it holds.
    public override var description: String { "SecKey(\(key.type), \(key.part), \(key.bits) bits)" }
    /// Says nothing of what it holds.
    public override var debugDescription: String { description }
}

extension SecKey: CustomReflectable {
    /// Shows nothing of what it holds.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The type number of keys.
public func SecKeyGetTypeID() -> CFTypeID { SecKey.typeID }

extension SecKey: CFTypeIdentified {
    static var typeID: CFTypeID { 101 }
}

/// The bytes of an RSA key's modulus, of a curve's coordinate, or of an AES block.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int { key.key.blockSize }

/// The public half of a key, which a public key is itself; nil for a symmetric key.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
    unsafe KeyCall.result("SecKeyCopyPublicKey", nil) { () throws(KeychainError) in try key.publicHalf() }
}

/// What is to be said about a key: the attributes it would be stored with (semantics §11.2).
///
/// `kSecValueData` is among them unless the key may not leave, and `kSecAttrTokenID` when an enclave has it.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
    unsafe KeyCall.result("SecKeyCopyAttributes", nil) { () throws(KeychainError) in try key.attributes() }
}

extension SecKey {
    func publicHalf() throws(KeychainError) -> SecKey {
        if key.part == .public { return self }
        let half = try KeyCall.using { () throws(KeyError) in try key.publicKey() }
        return SecKey(half, terms: publicTerms)
    }

    /// What tells the key from others: enough to find it, and nothing that may differ from item to item.
    func identifyingAttributes() throws(KeychainError) -> AttributeList {
        try KeyCall.using { () throws(KeyError) in try key.identifyingAttributes() }
    }

    /// All that an item of the key says of it besides (semantics §11.2).
    func itemAttributes() throws(KeychainError) -> AttributeList {
        try KeyCall.using { () throws(KeyError) in
            try key.itemAttributes(terms, isOpen: terms.isExtractable && !isInEnclave)
        }
    }

    fileprivate func attributes() throws(KeychainError) -> CFDictionary {
        let result = NSMutableDictionary()
        result[kSecClass] = kSecClassKey
        for entry in try itemAttributes().entries {
            result[entry.attribute.key as NSString] = SecKey.object(for: entry)
        }
        if isInEnclave { result[kSecAttrTokenID] = kSecAttrTokenIDSecureEnclave }
        if terms.isExtractable, !terms.isSensitive, !key.isHeldElsewhere {
            result[kSecValueData] = try externalRepresentation()
        }
        return result
    }

    /// Numbers that Apple's constants write as text are text here, and truths are truths.
    private static func object(for entry: AttributeList.Entry) -> AnyObject {
        guard case .number(let number) = entry.value else { return ResultKeys.object(for: entry.value) }
        switch entry.attribute {
        case .keyClass, .type: return String(number) as NSString
        case .keySizeInBits, .effectiveKeySize: return NSNumber(value: number)
        default: return number == 0 ? kCFBooleanFalse : kCFBooleanTrue
        }
    }
}

/// The item a key was found in or stored as.
struct KeyItem: Sendable {
    let id: PersistentID
    let isInEnclave: Bool
}

/// Who has the bytes of a key that may not leave: a keychain, which does with it what is asked.
struct KeyKeeper: Sendable {
    let host: any KeychainHost
    let key: UseKeyRequest.Key
    /// How what the key demands may be met; from the query that found it.
    var authentication = AuthenticationTerms.usual

    func perform(_ task: UseKeyRequest.Task) throws(KeychainError) -> SecretValue {
        var request = UseKeyRequest(key: key, task: task)
        request.authentication = try authentication.later()
        return try host.session().useKey(request)
    }
}
