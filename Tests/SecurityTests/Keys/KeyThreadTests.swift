// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

@Suite struct KeyThreadTests {
    @Test("many threads use one key at once")
    func threads() throws {
        let key = try TestKey.made(kSecAttrKeyTypeEC, 256)
        let other = try #require(SecKeyCopyPublicKey(key))
        DispatchQueue.concurrentPerform(iterations: 200) { round in
            let data = Data([UInt8(round)]) as CFData
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            let signature = SecKeyCreateSignature(key, algorithm, data, nil)
            #expect(signature.map { SecKeyVerifySignature(other, algorithm, data, $0, nil) } == true)
        }
    }
}
