// SPDX-License-Identifier: Apache-2.0

/// What is done with a key; the numbers are those of `SecKeyOperationType`.
package enum KeyOperation: Int, Sendable, CaseIterable {
    case sign = 0
    case verify = 1
    case encrypt = 2
    case decrypt = 3
    case keyExchange = 4
}
