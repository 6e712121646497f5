// SPDX-License-Identifier: Apache-2.0

import KeychainCrypto
import Testing

@Suite struct RandomnessTests {
    @Test("random bytes fill the buffer, differ each time, and none is always the same", arguments: [16, 64, 300])
    func fills(count: Int) throws {
        let draws = try (0..<64).map { _ in try PrimitiveBytes.filled(count, fillRandom) }
        #expect(Set(draws.map(\.description)).count == 64)
        // A byte that stays the same through 64 draws comes by chance once in 2 to the 504.
        let constant = (0..<count).filter { index in Set(draws.map { $0.array[index] }).count == 1 }
        #expect(constant.isEmpty)
    }

    @Test("no bytes are drawn without complaint")
    func nothing() throws {
        try fillRandom(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
}
