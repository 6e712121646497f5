// SPDX-License-Identifier: Apache-2.0

/// The one table from failures of importing and exporting to Apple's numbers.
extension OSStatus {
    init(_ kind: ExchangeFailure.Kind) {
        switch kind {
        case .unknownFormat: self = errSecUnknownFormat
        case .unsupportedFormat: self = errSecUnsupportedFormat
        case .undecodable: self = errSecDecode
        case .unsupportedKeySize: self = errSecUnsupportedKeySize
        case .passphraseRequired: self = errSecPassphraseRequired
        case .invalidPassphrase: self = errSecInvalidPasswordRef
        case .wrongPassphrase: self = errSecAuthFailed
        case .verification: self = errSecPkcs12VerifyFailure
        case .severalPrivateKeys: self = errSecMultiplePrivKeys
        case .sensitiveKey: self = errSecKeyIsSensitive
        case .unextractableKey: self = errSecDataNotAvailable
        case .general(let reason): self.init(reason)
        case .keychain(let status): self = status
        }
    }
}
