// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What is to be done with a key.
@frozen public enum SecKeyOperationType: CFIndex, Sendable {
    /// Making a signature.
    case sign = 0
    /// Checking a signature.
    case verify = 1
    /// Encrypting.
    case encrypt = 2
    /// Decrypting.
    case decrypt = 3
    /// Agreeing on a secret.
    case keyExchange = 4
}
