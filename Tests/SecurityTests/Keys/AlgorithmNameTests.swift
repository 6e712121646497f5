// SPDX-License-Identifier: Apache-2.0

import Security
import Testing

@Suite struct AlgorithmNameTests {
    @Test("each algorithm has Apple's name")
    func names() {
        #expect(AlgorithmNames.all.count == 98)
        #expect(Set(AlgorithmNames.all.map(\.0)).count == AlgorithmNames.all.count)
        for (algorithm, name) in AlgorithmNames.all {
            #expect(algorithm.rawValue as String == name)
            #expect(SecKeyAlgorithm(rawValue: name as CFString) == algorithm)
        }
    }

    @Test("the numbers of operations and paddings are Apple's")
    func numbers() {
        let operations: [SecKeyOperationType] = [.sign, .verify, .encrypt, .decrypt, .keyExchange]
        #expect(operations.map(\.rawValue) == [0, 1, 2, 3, 4])
        let paddings: [SecPadding] = [
            [], .PKCS1, .OAEP, .sigRaw, .PKCS1MD2, .PKCS1MD5, .PKCS1SHA1, .PKCS1SHA224, .PKCS1SHA256, .PKCS1SHA384,
            .PKCS1SHA512,
        ]
        #expect(paddings.map(\.rawValue) == [0, 1, 2, 0x4000] + Array(0x8000...0x8006))
        #expect(SecKeyKeyExchangeParameter.requestedSize.rawValue == "requestedSize")
        #expect(SecKeyKeyExchangeParameter.sharedInfo.rawValue == "sharedInfo")
    }
}
