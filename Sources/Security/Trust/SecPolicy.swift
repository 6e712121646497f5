// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
package import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
internal import KeychainSystem
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into an array.
// Sendable: what changes in it stands behind a lock.
/// What a certificate has to be good for.
public final class SecPolicy: NSObject, @unchecked Sendable {
    enum Rule: Hashable {
        case purpose(TrustPolicy)
        /// The `kSecRevocation…` flags.
        case revocation(CFOptionFlags)
    }

    private let state: ForkSafeMutex<Rule>

    init(_ rule: Rule) {
        state = ForkSafeMutex(rule)
        super.init()
    }

    /// What it demands now.
    var rule: Rule { state.withLock { $0 } }

    func set(_ rule: Rule) { state.withLock { $0 = rule } }

    /// Two policies are equal when they demand the same.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecPolicy)?.rule == rule }

    /// A hash of the whole content.
    public override var hash: Int { rule.hashValue }
}

extension SecPolicy: PolicyCarrying {
    /// A certificate that satisfies a revocation policy has a chain that is trusted, as `_FilterWithPolicy` of Apple's
    /// SecItemServer.c has it; without lists, which are never fetched here, no more can be said.
    package var purpose: TrustPolicy {
        switch rule {
        case .purpose(let purpose): purpose
        case .revocation: .basic
        }
    }
}

/// A policy that demands a chain to an anchor, and no more.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.purpose(.basic)) }

/// A policy for the certificate of one end of a TLS connection.
///
/// - Parameters:
///   - server: Whether it is the server's certificate that is examined; false for a client's.
///   - hostname: The host name or IP address that it must be for; nil for any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(.purpose(.ssl(server ? .server : .client, hostName: hostname.map { $0 as String })))
}

/// A policy on what to do where it is not known whether a certificate was revoked; nil when no flag is given.
///
/// With ``kSecRevocationRequirePositiveResponse`` every certificate under the anchor has to be known to be good. What was
/// given is used, whichever methods are named. They say whom to ask for the rest, where
/// ``SecTrustSetNetworkFetchAllowed(_:_:)`` allows that: servers before lists, unless ``kSecRevocationPreferCRL`` is there.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    revocationFlags == 0 ? nil : SecPolicy(.revocation(revocationFlags))
}

/// The type number of policies.
public func SecPolicyGetTypeID() -> CFTypeID { SecPolicy.typeID }

extension SecPolicy: CFTypeIdentified {
    static var typeID: CFTypeID { 104 }
}

/// The policy of an identifier, with properties; nil for one that cannot be checked here, or a property that is not
/// understood.
///
/// - Parameters:
///   - policyIdentifier: ``kSecPolicyAppleX509Basic``, ``kSecPolicyAppleSSL``, ``kSecPolicyAppleSMIME``,
///     ``kSecPolicyAppleEAP``, ``kSecPolicyAppleIPsec``, ``kSecPolicyAppleCodeSigning``,
///     ``kSecPolicyAppleTimeStamping``, ``kSecPolicyApplePKINITClient``, ``kSecPolicyApplePKINITServer`` or
///     ``kSecPolicyAppleRevocation``.
///   - properties: ``kSecPolicyName`` and ``kSecPolicyClient`` for SSL, EAP and IPsec, ``kSecPolicyName`` for S/MIME,
///     ``kSecPolicyRevocationFlags`` for revocation.
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    guard let identifier = policyIdentifier as? NSString,
        let properties = PolicyProperties(properties, of: identifier)
    else { return nil }
    let (side, name) = (properties.isClient ? TrustPolicy.Side.client : .server, properties.name.map { $0 as String })
    switch identifier {
    case kSecPolicyAppleSSLServer: return SecPolicyCreateSSL(true, properties.name)
    case kSecPolicyAppleSSLClient: return SecPolicyCreateSSL(false, properties.name)
    case kSecPolicyAppleEAP: return SecPolicy(.purpose(.use(.extensibleAuthentication, side, name: name)))
    case kSecPolicyAppleEAPServer: return SecPolicy(.purpose(.use(.extensibleAuthentication, .server, name: name)))
    case kSecPolicyAppleEAPClient: return SecPolicy(.purpose(.use(.extensibleAuthentication, .client, name: name)))
    case kSecPolicyAppleIPsec: return SecPolicy(.purpose(.use(.ipsec, side, name: name)))
    case kSecPolicyAppleIPSecServer: return SecPolicy(.purpose(.use(.ipsec, .server, name: name)))
    case kSecPolicyAppleIPSecClient: return SecPolicy(.purpose(.use(.ipsec, .client, name: name)))
    case kSecPolicyAppleCodeSigning: return SecPolicy(.purpose(.use(.codeSigning, .server, name: nil)))
    case kSecPolicyAppleTimeStamping: return SecPolicy(.purpose(.use(.timeStamping, .server, name: nil)))
    case kSecPolicyApplePKINITClient: return SecPolicy(.purpose(.use(.kerberos, .client, name: nil)))
    case kSecPolicyApplePKINITServer: return SecPolicy(.purpose(.use(.kerberos, .server, name: nil)))
    case kSecPolicyAppleX509Basic: return SecPolicyCreateBasicX509()
    case kSecPolicyAppleSSL: return SecPolicyCreateSSL(!properties.isClient, properties.name)
    case kSecPolicyAppleSMIME: return SecPolicy(.purpose(.email(properties.name.map { $0 as String })))
    case kSecPolicyAppleRevocation:
        return SecPolicyCreateRevocation(properties.flags ?? kSecRevocationUseAnyAvailableMethod)
    default: return nil
    }
}

/// The policy of an identifier; the older form of ``SecPolicyCreateWithProperties(_:_:)``.
@available(*, deprecated, renamed: "SecPolicyCreateWithProperties")
public func SecPolicyCreateWithOID(_ policyOID: CFTypeRef) -> SecPolicy? {
    SecPolicyCreateWithProperties(policyOID, nil)
}

/// Changes what a policy demands, for everybody who has it; make a new one instead.
///
/// - Returns: ``errSecSuccess``, or ``errSecParam`` for properties that this policy does not have.
@available(*, deprecated, renamed: "SecPolicyCreateWithProperties")
@discardableResult
public func SecPolicySetProperties(_ policyRef: SecPolicy, _ properties: CFDictionary) -> OSStatus {
    guard let identifier = SecPolicyCopyProperties(policyRef)?[kSecPolicyOid] as? NSString,
        let changed = SecPolicyCreateWithProperties(identifier, properties)
    else { return errSecParam }
    policyRef.set(changed.rule)
    return errSecSuccess
}

/// What the policy demands, with the keys of ``SecPolicyCreateWithProperties(_:_:)`` and ``kSecPolicyOid``.
public func SecPolicyCopyProperties(_ policyRef: SecPolicy) -> CFDictionary? {
    let properties = NSMutableDictionary()
    let identifier: CFString
    var name: String?
    switch policyRef.rule {
    case .purpose(.basic): identifier = kSecPolicyAppleX509Basic
    case .purpose(.ssl(let side, let hostName)):
        identifier = kSecPolicyAppleSSL
        name = hostName
        if side == .client { properties[kSecPolicyClient] = true }
    case .purpose(.email(let address)):
        identifier = kSecPolicyAppleSMIME
        name = address
    case .purpose(.use(let use, let side, let host)):
        name = host
        switch use {
        case .extensibleAuthentication: identifier = kSecPolicyAppleEAP
        case .ipsec: identifier = kSecPolicyAppleIPsec
        case .codeSigning: identifier = kSecPolicyAppleCodeSigning
        case .timeStamping: identifier = kSecPolicyAppleTimeStamping
        case .kerberos: identifier = side == .client ? kSecPolicyApplePKINITClient : kSecPolicyApplePKINITServer
        }
        if side == .client, use == .extensibleAuthentication || use == .ipsec { properties[kSecPolicyClient] = true }
    case .revocation(let flags):
        identifier = kSecPolicyAppleRevocation
        properties[kSecPolicyRevocationFlags] = NSNumber(value: flags)
    }
    properties[kSecPolicyOid] = identifier
    if let name { properties[kSecPolicyName] = name as NSString }
    return properties
}

/// Properties of a policy that were understood, every one of them.
private struct PolicyProperties {
    var name: NSString?
    var isClient = false
    var flags: CFOptionFlags?

    /// nil for a value of the wrong kind, or a property that this policy does not check.
    init?(_ dictionary: CFDictionary?, of identifier: NSString) {
        for (key, value) in dictionary ?? NSDictionary() {
            guard let key = key as? String else { return nil }
            switch key as NSString {
            case kSecPolicyOid:
                guard value as? String == identifier as String else { return nil }
            case kSecPolicyName where Self.named.contains(identifier):
                guard let text = value as? String else { return nil }
                name = text as NSString
            case kSecPolicyClient where Self.ofTwoEnds.contains(identifier):
                guard let truth = value as? Bool else { return nil }
                isClient = truth
            case kSecPolicyRevocationFlags where identifier == kSecPolicyAppleRevocation:
                guard let number = value as? NSNumber, let bits = CFOptionFlags(exactly: number.int64Value),
                    NSNumber(value: bits) == number
                else { return nil }
                flags = bits
            default: return nil
            }
        }
    }

    private static var ofTwoEnds: Set<NSString> { [kSecPolicyAppleSSL, kSecPolicyAppleEAP, kSecPolicyAppleIPsec] }
    private static var named: Set<NSString> {
        ofTwoEnds.union([
            kSecPolicyAppleSMIME, kSecPolicyAppleSSLServer, kSecPolicyAppleSSLClient, kSecPolicyAppleEAPServer,
            kSecPolicyAppleEAPClient, kSecPolicyAppleIPSecServer, kSecPolicyAppleIPSecClient,
        ])
    }
}

// The identifiers of policies. `@safe nonisolated(unsafe)`: a string made from a literal never changes.

/// A chain to an anchor, and no more.
@safe nonisolated(unsafe) public let kSecPolicyAppleX509Basic: CFString = "1.2.840.113635.100.1.2"
/// A TLS connection.
@safe nonisolated(unsafe) public let kSecPolicyAppleSSL: CFString = "1.2.840.113635.100.1.3"
/// Signed or encrypted mail.
@safe nonisolated(unsafe) public let kSecPolicyAppleSMIME: CFString = "1.2.840.113635.100.1.8"
/// Extensible authentication, as in wireless networks.
@safe nonisolated(unsafe) public let kSecPolicyAppleEAP: CFString = "1.2.840.113635.100.1.9"
/// A virtual private network.
@safe nonisolated(unsafe) public let kSecPolicyAppleIPsec: CFString = "1.2.840.113635.100.1.11"
/// A Kerberos client.
@safe nonisolated(unsafe) public let kSecPolicyApplePKINITClient: CFString = "1.2.840.113635.100.1.14"
/// A Kerberos server.
@safe nonisolated(unsafe) public let kSecPolicyApplePKINITServer: CFString = "1.2.840.113635.100.1.15"
/// Signed programs.
@safe nonisolated(unsafe) public let kSecPolicyAppleCodeSigning: CFString = "1.2.840.113635.100.1.16"
/// Apple's identities; not checked here.
@safe nonisolated(unsafe) public let kSecPolicyAppleIDValidation: CFString = "1.2.840.113635.100.1.18"
/// Receipts of the Mac App Store; not checked here.
@safe nonisolated(unsafe) public let kSecPolicyMacAppStoreReceipt: CFString = "1.2.840.113635.100.1.19"
/// Time stamps.
@safe nonisolated(unsafe) public let kSecPolicyAppleTimeStamping: CFString = "1.2.840.113635.100.1.20"
/// Whether it was revoked.
@safe nonisolated(unsafe) public let kSecPolicyAppleRevocation: CFString = "1.2.840.113635.100.1.21"
/// Passes of Wallet; not checked here.
@safe nonisolated(unsafe) public let kSecPolicyApplePassbookSigning: CFString = "1.2.840.113635.100.1.22"
/// The encryption of payments; not checked here.
@safe nonisolated(unsafe) public let kSecPolicyApplePayIssuerEncryption: CFString = "1.2.840.113635.100.1.39"

/// The server's end of TLS.
@safe nonisolated(unsafe) public let kSecPolicyAppleSSLServer: CFString = "1.2.840.113635.100.1.3.1"
/// The client's end of TLS.
@safe nonisolated(unsafe) public let kSecPolicyAppleSSLClient: CFString = "1.2.840.113635.100.1.3.2"
/// The server's end of extensible authentication.
@safe nonisolated(unsafe) public let kSecPolicyAppleEAPServer: CFString = "1.2.840.113635.100.1.9.1"
/// The client's end of extensible authentication.
@safe nonisolated(unsafe) public let kSecPolicyAppleEAPClient: CFString = "1.2.840.113635.100.1.9.2"
/// The server's end of a virtual private network.
@safe nonisolated(unsafe) public let kSecPolicyAppleIPSecServer: CFString = "1.2.840.113635.100.1.11.1"
/// The client's end of a virtual private network.
@safe nonisolated(unsafe) public let kSecPolicyAppleIPSecClient: CFString = "1.2.840.113635.100.1.11.2"
/// Apple's chat; not checked here.
@safe nonisolated(unsafe) public let kSecPolicyAppleiChat: CFString = "1.2.840.113635.100.1.12"

// Uses of keys, which older programs put among the properties of a policy; no policy here asks for them.

/// Signatures of lists of what was revoked.
@safe nonisolated(unsafe) public let kSecPolicyKU_CRLSign: CFString = "CE_KU_CRLSign"
/// Encryption of data.
@safe nonisolated(unsafe) public let kSecPolicyKU_DataEncipherment: CFString = "CE_KU_DataEncipherment"
/// Of an agreement, decryption alone.
@safe nonisolated(unsafe) public let kSecPolicyKU_DecipherOnly: CFString = "CE_KU_DecipherOnly"
/// Signatures.
@safe nonisolated(unsafe) public let kSecPolicyKU_DigitalSignature: CFString = "CE_KU_DigitalSignature"
/// Of an agreement, encryption alone.
@safe nonisolated(unsafe) public let kSecPolicyKU_EncipherOnly: CFString = "CE_KU_EncipherOnly"
/// Agreement on keys.
@safe nonisolated(unsafe) public let kSecPolicyKU_KeyAgreement: CFString = "CE_KU_KeyAgreement"
/// Signatures of certificates.
@safe nonisolated(unsafe) public let kSecPolicyKU_KeyCertSign: CFString = "CE_KU_KeyCertSign"
/// Encryption of keys.
@safe nonisolated(unsafe) public let kSecPolicyKU_KeyEncipherment: CFString = "CE_KU_KeyEncipherment"
/// Signatures that the signer cannot deny.
@safe nonisolated(unsafe) public let kSecPolicyKU_NonRepudiation: CFString = "CE_KU_NonRepudiation"

// The properties of policies.

/// The policy's identifier, one of the `kSecPolicyApple…` values.
@safe nonisolated(unsafe) public let kSecPolicyOid: CFString = "SecPolicyOid"
/// The host name or the e-mail address that the certificate must be for.
@safe nonisolated(unsafe) public let kSecPolicyName: CFString = "SecPolicyName"
/// Whether it is the client's certificate that is examined.
@safe nonisolated(unsafe) public let kSecPolicyClient: CFString = "SecPolicyClient"
/// The `kSecRevocation…` flags, as a number.
@safe nonisolated(unsafe) public let kSecPolicyRevocationFlags: CFString = "SecPolicyRevocationFlags"
/// The team that signed; no policy here asks for it.
@safe nonisolated(unsafe) public let kSecPolicyTeamIdentifier: CFString = "SecPolicyTeamIdentifier"

// The flags of SecPolicyCreateRevocation.

/// Responses of OCSP servers.
public let kSecRevocationOCSPMethod: CFOptionFlags = 1 << 0
/// Certificate revocation lists.
public let kSecRevocationCRLMethod: CFOptionFlags = 1 << 1
/// Lists before responses.
public let kSecRevocationPreferCRL: CFOptionFlags = 1 << 2
/// A certificate of which nothing is known fails.
public let kSecRevocationRequirePositiveResponse: CFOptionFlags = 1 << 3
/// Nobody is asked, also where fetching is allowed.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// Responses or lists.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod
