// SPDX-License-Identifier: Apache-2.0

import KeychainAuthentication
import KeychainSystem
import Testing

@Suite struct ScriptedFingerprintReaderTests {
    @Test("a script answers one time after the other, and its set changes when it is told so")
    func script() throws {
        let reader = ScriptedFingerprintReader(.noFinger, [.recognized, .failure(.notRecognized), .silence])
        let cancellation = Cancellation()
        #expect(try reader.state(cancellation) == .noFinger)
        reader.change(to: .enrolled(set: [1]))
        #expect(try reader.state(cancellation) == .enrolled(set: [1]))
        typealias Verified = FprintdReaderTests.Verified
        let expected: [Verified] = [.recognized, .notRecognized, .timedOut, .failed]
        for expected in expected {
            let verified = Verified { () throws(FingerprintError) in
                try reader.verify("why", cancellation, timeout: 0)
            }
            #expect(verified == expected)
        }
        #expect(reader.reasons == Array(repeating: "why", count: 4))
    }
}
