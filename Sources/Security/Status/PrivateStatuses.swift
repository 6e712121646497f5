// SPDX-License-Identifier: Apache-2.0

/// The policy does not allow this.
public let errSecPolicyDenied: OSStatus = -26270
/// An internal error occurred in the Security framework.
public let errSecInternal: OSStatus = -26276
/// Authentication is needed to use the item.
public let errSecAuthNeeded: OSStatus = -25330
/// The result arrives through a callback.
public let errSecWaitForCallback: OSStatus = -34017
/// The keychain is being upgraded.
public let errSecUpgradePending: OSStatus = -34019
