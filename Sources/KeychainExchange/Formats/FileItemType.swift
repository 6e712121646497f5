// SPDX-License-Identifier: Apache-2.0

/// What a file holds.
package enum FileItemType: UInt32, Sendable {
    case privateKey = 1
    case publicKey = 2
    case symmetricKey = 3
    case certificate = 4
    /// Several things.
    case several = 5
}
