// SPDX-License-Identifier: Apache-2.0

/// What a program can show in a person's place.
@frozen public enum LACredentialType: Int, Sendable {
    /// The item's own password.
    case applicationPassword = 0
    /// The keychain's passcode; ours, for machines without a person.
    case passcode = 1000
}
