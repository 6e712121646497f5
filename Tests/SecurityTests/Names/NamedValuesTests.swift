// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

/// Every constant with its value, typed a second time from `Docs/Semantics.md`.
enum NamedValues {}

@Suite struct NamedValuesTests {
    @Test("every constant has the value that stored items and other programs use")
    func values() {
        let all =
            NamedValues.classes + NamedValues.attributes + NamedValues.queryKeys + NamedValues.accessibleValues
            + NamedValues.protocols + NamedValues.authenticationTypes + NamedValues.keysAndTokens
            + NamedValues.policiesAndTrust
        #expect(all.count == 256)
        for row in all { #expect(row.constant as String == row.value) }
    }

    @Test("a protocol is four characters long, trailing blanks included")
    func protocols() {
        for row in NamedValues.protocols { #expect(row.constant.length == 4) }
    }

    @Test("no two protocols, match keys or classes share a value")
    func distinct() {
        for rows in [NamedValues.protocols, NamedValues.queryKeys, NamedValues.classes] {
            let values = rows.map { $0.constant as String }.filter { $0 != "nleg" }
            #expect(Set(values).count == values.count)
        }
    }

    @Test("certificate types and encodings are numbers")
    func certificates() {
        #expect(kSecAttrCertificateEncodingDER == 3)
        let types: [Int] = [CSSM_CERT_X_509v1, CSSM_CERT_X_509v2, CSSM_CERT_X_509v3]
        #expect(types == [1, 2, 3])
        let encodings: [Int] = [CSSM_CERT_ENCODING_BER, CSSM_CERT_ENCODING_DER, CSSM_CERT_ENCODING_NDR]
        #expect(encodings == [2, 3, 4])
    }
}
