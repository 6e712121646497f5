// SPDX-License-Identifier: Apache-2.0

/// The object that programs hold for a keychain; `SecKeychain` is one, and it lives above this module.
package protocol KeychainCarrying: AnyObject {}
