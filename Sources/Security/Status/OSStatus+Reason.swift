// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainStatus

extension OSStatus {
    init(_ reason: KeychainError.Reason) { self = SecurityStatus(reason).number }
}
