// SPDX-License-Identifier: Apache-2.0

internal import KeychainStatus

extension SecurityStatus {
    /// What a process can end with of it: the lowest byte, as on a Mac.
    var exitCode: Int32 { number & 0xFF }
}
