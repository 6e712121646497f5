// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// What a malformed file comes to.
enum Refusal {
    static let passphrase = "secret"

    static let statuses: Set<OSStatus> = [
        errSecDecode, errSecUnknownFormat, errSecUnsupportedFormat, errSecPkcs12VerifyFailure, errSecAuthFailed,
        errSecPassphraseRequired, errSecUnsupportedKeySize,
    ]

    static func expect(_ data: Data, _ comment: String) {
        let imported = Exchange.importing(data, passphrase: passphrase)
        #expect(statuses.contains(imported.status), "\(comment): \(imported.status)")
        #expect(imported.items == nil)
        #expect(Exchange.identities(data).status != errSecSuccess, "\(comment)")
    }
}
