// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
package import KeychainModel
internal import KeychainParsing
internal import KeychainRequest
public import LlaveroFoundation

// An NSObject, because Foundation puts any other object of Swift's in a box when it goes into an array.
// Sendable: it never changes.
/// What a certificate has to be good for.
public final class SecPolicy: NSObject, @unchecked Sendable {
    enum Rule: Hashable {
        case purpose(TrustPolicy)
        /// The `kSecRevocation…` flags.
        case revocation(CFOptionFlags)
    }

    let rule: Rule

    init(_ rule: Rule) {
        self.rule = rule
        super.init()
    }

    /// Two policies are equal when they demand the same.
    public override func isEqual(_ object: Any?) -> Bool { (object as? SecPolicy)?.rule == rule }

    /// A hash of the whole content.
    public override var hash: Int { rule.hashValue }
}

extension SecPolicy: PolicyCarrying {
    /// A certificate that satisfies a revocation policy has a chain that is trusted, as `_FilterWithPolicy` of Apple's
    /// SecItemServer.c has it; without the lists that nobody fetches here, no more can be said.
    package var purpose: TrustPolicy {
        switch rule {
        case .purpose(let purpose): purpose
        case .revocation: .basic
        }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A policy that demands a chain to an anchor, and no more.
public func SecPolicyCreateBasicX509() -> SecPolicy { SecPolicy(.purpose(.basic)) }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A policy for the certificate of one end of a TLS connection.
///
/// - Parameters:
///   - server: Whether it is the server's certificate that is examined; false for a client's.
///   - hostname: The host name or IP address that it must be for; nil for any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    SecPolicy(.purpose(.ssl(server ? .server : .client, hostName: hostname.map { $0 as String })))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A policy on what to do where it is not known whether a certificate was revoked; nil when no flag is given.
///
/// Nothing is fetched. Only ``kSecRevocationRequirePositiveResponse`` makes a difference here: with it every certificate
/// under the anchor has to be known to be good. Which of the methods are named does not matter: what is known is used.
public func SecPolicyCreateRevocation(_ revocationFlags: CFOptionFlags) -> SecPolicy? {
    revocationFlags == 0 ? nil : SecPolicy(.revocation(revocationFlags))
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The type number of policies.
public func SecPolicyGetTypeID() -> CFTypeID { SecPolicy.typeID }

extension SecPolicy: CFTypeIdentified {
    static var typeID: CFTypeID { 104 }
}
