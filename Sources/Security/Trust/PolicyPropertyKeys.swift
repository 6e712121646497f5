// SPDX-License-Identifier: Apache-2.0

public import LlaveroFoundation

// `@safe nonisolated(unsafe)`: a string made from a literal never changes.

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
/// The network is not used; it never is here.
public let kSecRevocationNetworkAccessDisabled: CFOptionFlags = 1 << 4
/// Responses or lists.
public let kSecRevocationUseAnyAvailableMethod: CFOptionFlags = kSecRevocationOCSPMethod | kSecRevocationCRLMethod
