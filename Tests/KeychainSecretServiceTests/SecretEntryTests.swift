// SPDX-License-Identifier: Apache-2.0

import KeychainSecretService
import Testing

@Suite struct SecretEntryTests {
    @Test("an entry keeps attributes exactly as they were given")
    func attributes() {
        let entry = SecretEntry(
            id: "1", label: "a", attributes: ["": "", "k": "v\n"], contentType: "text/plain", created: 1, modified: 2)
        #expect(entry.attributes == ["": "", "k": "v\n"])
    }
}
