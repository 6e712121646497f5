// SPDX-License-Identifier: Apache-2.0

/// What keeps the device's own key.
package enum EnclaveKind: UInt8, Sendable, CaseIterable {
    case software = 1
    case tpm = 2
}
