// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AlwaysUseLowerCamelCase

internal import KeychainCertificates
internal import KeychainModel
public import LlaveroFoundation

/// The policy of an identifier, with properties; nil for one that cannot be checked here, or a property that is not
/// understood.
///
/// - Parameters:
///   - policyIdentifier: ``kSecPolicyAppleX509Basic``, ``kSecPolicyAppleSSL``, ``kSecPolicyAppleSMIME`` or
///     ``kSecPolicyAppleRevocation``.
///   - properties: ``kSecPolicyName`` and ``kSecPolicyClient`` for SSL, ``kSecPolicyName`` for S/MIME,
///     ``kSecPolicyRevocationFlags`` for revocation.
public func SecPolicyCreateWithProperties(_ policyIdentifier: CFTypeRef, _ properties: CFDictionary?) -> SecPolicy? {
    guard let identifier = policyIdentifier as? NSString,
        let properties = PolicyProperties(properties, of: identifier)
    else { return nil }
    switch identifier {
    case kSecPolicyAppleX509Basic: return SecPolicyCreateBasicX509()
    case kSecPolicyAppleSSL: return SecPolicyCreateSSL(!properties.isClient, properties.name)
    case kSecPolicyAppleSMIME: return SecPolicy(.purpose(.email(properties.name.map { $0 as String })))
    case kSecPolicyAppleRevocation:
        return SecPolicyCreateRevocation(properties.flags ?? kSecRevocationUseAnyAvailableMethod)
    default: return nil
    }
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
            case kSecPolicyName where identifier == kSecPolicyAppleSSL || identifier == kSecPolicyAppleSMIME:
                guard let text = value as? String else { return nil }
                name = text as NSString
            case kSecPolicyClient where identifier == kSecPolicyAppleSSL:
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
}
