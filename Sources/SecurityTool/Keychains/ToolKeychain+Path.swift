// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainTools

extension ToolKeychain {
    /// What people and scripts call it.
    var path: String { place.path ?? "" }
}
