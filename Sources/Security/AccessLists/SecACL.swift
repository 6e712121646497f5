// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainModel
internal import KeychainSystem
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into an array.
// Sendable: what changes in it stands behind a lock.
/// One part of an access list: which programs may do what; see ``SecAccess`` for what that is worth here.
public final class SecACL: NSObject, @unchecked Sendable {
    struct Contents: Sendable {
        /// nil for every program.
        var applications: [SecTrustedApplication]?
        var text: String
        var prompts: SecKeychainPromptSelector
        var authorizations: [String]
    }

    private let state: ForkSafeMutex<Contents>
    /// The list that it is a part of; it does not keep it.
    private weak let access: SecAccess?

    init(
        _ access: SecAccess, _ applications: [SecTrustedApplication]?, _ text: String,
        _ prompts: SecKeychainPromptSelector, _ authorizations: [CFString]
    ) {
        self.access = access
        state = ForkSafeMutex(
            Contents(
                applications: applications, text: text, prompts: prompts,
                authorizations: authorizations.map { $0 as String }))
        super.init()
    }

    var contents: Contents { state.withLock { $0 } }
    var authorizations: [NSString] { contents.authorizations.map { $0 as NSString } }

    func change(_ body: @Sendable (inout Contents) -> Void) { state.withLock { body(&$0) } }

    func leave() { access?.remove(self) }
}

/// The type number of parts of access lists.
public func SecACLGetTypeID() -> CFTypeID { SecACL.typeID }

extension SecACL: CFTypeIdentified {
    static var typeID: CFTypeID { 109 }
}

/// When a program that is not trusted asks a person.
public struct SecKeychainPromptSelector: OptionSet, Sendable {
    /// The bits, as in Apple's header.
    public let rawValue: UInt16

    /// Flags from their bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The passcode is asked for.
    public static let requirePassphase = SecKeychainPromptSelector(rawValue: 0x0001)
    /// Programs without a signature ask.
    public static let unsigned = SecKeychainPromptSelector(rawValue: 0x0010)
    /// The last flag counts.
    public static let unsignedAct = SecKeychainPromptSelector(rawValue: 0x0020)
    /// Programs whose signature is wrong ask.
    public static let invalid = SecKeychainPromptSelector(rawValue: 0x0040)
    /// The last flag counts.
    public static let invalidAct = SecKeychainPromptSelector(rawValue: 0x0080)
}

/// Adds a part to an access list.
///
/// - Parameters:
///   - access: The list.
///   - applicationList: The trusted programs; nil for every program.
///   - description: What it is about, for people.
///   - promptSelector: When other programs ask.
///   - newAcl: Set to the part.
@discardableResult
public func SecACLCreateWithSimpleContents(
    _ access: SecAccess, _ applicationList: CFArray?, _ description: CFString,
    _ promptSelector: SecKeychainPromptSelector, _ newAcl: UnsafeMutablePointer<SecACL?>
) -> OSStatus {
    Call.status("SecACLCreateWithSimpleContents") { () throws(KeychainError) in
        SecAccess.remarkOnce()
        let list = SecACL(
            access, try SecTrustedApplication.list(applicationList), description as String, promptSelector, [])
        access.add(list)
        unsafe newAcl.pointee = list
    }
}

/// Takes a part out of its access list.
@discardableResult
public func SecACLRemove(_ aclRef: SecACL) -> OSStatus {
    aclRef.leave()
    return errSecSuccess
}

/// Gives programs, description and prompts of a part.
@discardableResult
public func SecACLCopyContents(
    _ acl: SecACL, _ applicationList: UnsafeMutablePointer<CFArray?>,
    _ description: UnsafeMutablePointer<CFString?>, _ promptSelector: UnsafeMutablePointer<SecKeychainPromptSelector>
) -> OSStatus {
    let contents = acl.contents
    unsafe applicationList.pointee = contents.applications.map { NSArray(array: $0) }
    unsafe description.pointee = contents.text as NSString
    unsafe promptSelector.pointee = contents.prompts
    return errSecSuccess
}

/// Changes programs, description and prompts of a part.
@discardableResult
public func SecACLSetContents(
    _ acl: SecACL, _ applicationList: CFArray?, _ description: CFString, _ promptSelector: SecKeychainPromptSelector
) -> OSStatus {
    Call.status("SecACLSetContents") { () throws(KeychainError) in
        SecAccess.remarkOnce()
        let applications = try SecTrustedApplication.list(applicationList)
        let text = description as String
        acl.change { contents in
            (contents.applications, contents.text, contents.prompts) = (applications, text, promptSelector)
        }
    }
}

/// What a part allows: values of `kSecACLAuthorization…`.
public func SecACLCopyAuthorizations(_ acl: SecACL) -> CFArray { NSArray(array: acl.authorizations) }

/// Changes what a part allows.
@discardableResult
public func SecACLUpdateAuthorizations(_ acl: SecACL, _ authorizations: CFArray) -> OSStatus {
    guard let named = authorizations as? [String] else { return errSecParam }
    SecAccess.remarkOnce()
    acl.change { $0.authorizations = named }
    return errSecSuccess
}
