// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainStatus

extension OSStatus {
    init(_ kind: ExchangeFailure.Kind) { self = SecurityStatus(kind).number }
}
