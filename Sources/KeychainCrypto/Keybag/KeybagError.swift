// SPDX-License-Identifier: Apache-2.0

/// Why a keybag gave no keys.
package enum KeybagError: Error, Sendable, Equatable {
    /// Bytes that are no keybag, or a record that its key does not open.
    case damaged
    /// Written by later software.
    case newerVersion
    /// Another enclave than the one recorded.
    case otherEnclave
    /// Not all keys are open, so the keybag cannot be made anew.
    case incomplete
    /// The recovery key is another keybag's, or none was made.
    case otherRecoveryKey
    case crypto(CryptoError)
}
