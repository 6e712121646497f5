// SPDX-License-Identifier: Apache-2.0

package import KeychainStatus

/// The one table from failures of importing and exporting to Apple's numbers.
extension SecurityStatus {
    package init(_ kind: ExchangeFailure.Kind) {
        switch kind {
        case .unknownFormat: self = .unknownFormat
        case .unsupportedFormat: self = .unsupportedFormat
        case .undecodable: self = .undecodable
        case .unsupportedKeySize: self = .unsupportedKeySize
        case .passphraseRequired: self = .passphraseRequired
        case .invalidPassphrase: self = .invalidPassphrase
        case .wrongPassphrase: self = .authenticationFailed
        case .verification: self = .unverifiedPKCS12
        case .severalPrivateKeys: self = .severalPrivateKeys
        case .sensitiveKey: self = .sensitiveKey
        case .unextractableKey: self = .dataNotAvailable
        case .general(let reason): self.init(reason)
        case .keychain(let status): self = status
        }
    }
}
