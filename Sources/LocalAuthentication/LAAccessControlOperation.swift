// SPDX-License-Identifier: Apache-2.0

/// What is to be done with an item that demands somebody.
@frozen public enum LAAccessControlOperation: Int, Sendable {
    /// An item is made.
    case createItem = 0
    /// An item is read.
    case useItem = 1
    /// A key is made.
    case createKey = 2
    /// A key signs.
    case useKeySign = 3
    /// A key decrypts.
    case useKeyDecrypt = 4
    /// A key agrees on a secret.
    case useKeyKeyExchange = 5
}
