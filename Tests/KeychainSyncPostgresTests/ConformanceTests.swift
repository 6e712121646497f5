// SPDX-License-Identifier: Apache-2.0

import KeychainSyncPostgres
import TestCircles
import Testing

@Suite struct TransportConformanceTests {
    @Test("over TLS with a password", arguments: CircleConformance.all)
    func network(check: CircleConformance) throws {
        let ground = try Ground()
        try check.check(try ground.member("ana"), try ground.member("o'Brien \"the\" \\ second"))
    }

    @Test("over a Unix socket", arguments: CircleConformance.all)
    func socket(check: CircleConformance) throws {
        let ground = try Ground()
        try check.check(try ground.local("ana"), try ground.local("ben"))
    }
}
