// SPDX-License-Identifier: Apache-2.0

import KeychainDaemon
import Testing

@Suite struct ConnectionPaceTests {
    @Test("who opens thousands of connections waits, up to a second, and nobody else does")
    func delay() {
        var pace = ConnectionPace()
        let delays = (0..<5000).map { _ in pace.delay(of: 1000) }
        #expect(delays.prefix(100).allSatisfy { $0 == 0 })
        #expect(delays.allSatisfy { $0 <= 1000 })
        // However slow this machine is: within one window of a fifth of a second, or over several.
        #expect(delays.contains { $0 > 0 })
        #expect(pace.delay(of: 1001) == 0)
    }
}
