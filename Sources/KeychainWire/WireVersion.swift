// SPDX-License-Identifier: Apache-2.0

/// The version of the protocol: both sides speak the same one or do not speak.
package enum WireVersion {
    package static let current: UInt8 = 1
}
