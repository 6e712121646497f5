// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
internal import LlaveroFoundation

/// What a classic function says of a password, as the dictionary that the item functions take.
struct ClassicName {
    private let itemClass: ItemClass
    private var attributes: [CFString: Any] = [:]

    init(_ itemClass: ItemClass) { self.itemClass = itemClass }

    subscript(key: CFString) -> Any? {
        get { attributes[key] }
        set { attributes[key] = newValue }
    }

    /// Sets a text, unless it is nil.
    mutating func set(_ key: CFString, _ text: UnsafePointer<CChar>?, _ count: UInt32) throws(KeychainError) {
        if let text = try unsafe ClassicMemory.text(text, count) { attributes[key] = text }
    }

    /// Sets what says something.
    mutating func set(_ port: UInt16, _ ofServer: SecProtocolType, _ authentication: SecAuthenticationType) {
        if port != 0 { attributes[kSecAttrPort] = Int(port) }
        if ofServer != .any { attributes[kSecAttrProtocol] = FourLetterCode.text(ofServer.rawValue) }
        if authentication != .any {
            attributes[kSecAttrAuthenticationType] = FourLetterCode.text(authentication.rawValue.byteSwapped)
        }
    }

    func add(_ secret: SecretData, to keychain: SecKeychain?) throws(KeychainError) -> SecKeychainItem {
        var whole = self
        whole[kSecValueData] = secret
        return try whole.add(to: keychain)
    }

    func add(to keychain: SecKeychain?) throws(KeychainError) -> SecKeychainItem {
        let keychain = try SecKeychain.meant(by: keychain)
        var entries = attributes
        entries[kSecClass] = itemClass.name
        entries[kSecReturnAttributes] = true
        if keychain.place != nil { entries[kSecUseKeychain] = keychain }
        let call = try AddCall(entries as NSDictionary)
        guard let reference = try call.answer().first?.persistentReference else {
            throw KeychainError(.internalError, "the stored item has no reference")
        }
        return SecKeychainItem(reference, in: call.host)
    }

    func find(in keychains: CFTypeRef?, withSecret: Bool) throws(KeychainError) -> ClassicFinding {
        var entries = attributes
        entries[kSecClass] = itemClass.name
        entries[kSecReturnAttributes] = true
        if withSecret { entries[kSecReturnData] = true }
        let request = try MatchRequest.parse(entries as NSDictionary).request
        return try ClassicFinding.first(of: request, in: SecKeychain.hosts(of: keychains))
    }
}

/// An item that a classic function found.
struct ClassicFinding {
    let item: FoundItem
    let host: any KeychainHost

    /// The first in the first keychain that has one.
    ///
    /// Where nothing is found, a keychain that cannot be looked into is the reason, as for a search list.
    static func first(
        of request: MatchRequest, in hosts: [any KeychainHost]
    ) throws(KeychainError) -> ClassicFinding {
        var refusal: KeychainError?
        for host in hosts {
            do throws(KeychainError) {
                if case .item(let item)? = try host.session().match(request).first {
                    return ClassicFinding(item: item, host: host)
                }
            } catch { if refusal == nil || refusal?.reason == .itemNotFound { refusal = error } }
        }
        throw refusal ?? KeychainError(.itemNotFound, "no item matches")
    }

    var reference: SecKeychainItem { SecKeychainItem(.item(item.itemClass, item.persistentID), in: host) }

    /// Sets what is wanted of it; nothing when the memory does not suffice.
    func handOut(
        _ length: UnsafeMutablePointer<UInt32>?, _ data: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
        _ reference: UnsafeMutablePointer<SecKeychainItem?>?
    ) throws(KeychainError) {
        let secret = item.secret ?? SecretValue(copying: [])
        if let data = unsafe data {
            unsafe data.pointee = try unsafe ClassicMemory.copy(
                UnsafeRawBufferPointer(start: secret.bytes, count: secret.count))
        }
        if let length = unsafe length { unsafe length.pointee = UInt32(clamping: secret.count) }
        withExtendedLifetime(secret) {}
        if let reference = unsafe reference { unsafe reference.pointee = self.reference }
    }
}

extension SecKeychain {
    /// Those that a classic search is about: one, several in an array, or the search list for nil.
    static func hosts(of keychains: CFTypeRef?) throws(KeychainError) -> [any KeychainHost] {
        var found: [SecKeychain] = []
        switch keychains {
        case nil: for place in try searched() where try place?.exists ?? true { found.append(SecKeychain(place)) }
        case let keychain as SecKeychain: found = [keychain]
        case let several as NSArray:
            guard let all = several as? [SecKeychain] else {
                throw KeychainError(.parameter, "the array has something else than keychains")
            }
            found = all
        default: throw KeychainError(.parameter, "this is neither a keychain nor an array of them")
        }
        var hosts: [any KeychainHost] = []
        for keychain in found { hosts.append(try keychain.host()) }
        return hosts
    }
}
