// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainRequest
import KeychainWire
import Testing

/// Programs that have the daemon keep things for them.
@Suite struct KeptRequestsTests {
    @Test("of one user no more requests are kept than so many, be they over any number of connections")
    func requests() throws {
        let scene = try DaemonScene()
        let daemon = try scene.startDaemon()
        defer {
            daemon.terminate()
            daemon.waitUntilExit()
        }
        let (one, other) = (try HostileClient(scene), try HostileClient(scene))
        let first = AuthenticationRequestID.random()
        #expect(try one.failure(.expect(first)) == nil)
        for _ in 1..<8192 { #expect(try one.failure(.expect(.random())) == nil) }
        #expect(try one.failure(.expect(.random()))?.reason == .notAvailable)
        #expect(try other.failure(.expect(.random()))?.reason == .notAvailable)
        // The same again is no other.
        #expect(try other.failure(.expect(first)) == nil)
        #expect(try other.failure(.forget(first)) == nil)
        #expect(try other.failure(.expect(.random())) == nil)
        #expect(try other.failure(.expect(.random()))?.reason == .notAvailable)
    }
}
