// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
import KeychainDaemon
import KeychainModel
import KeychainRequest
import TestDaemon
import Testing

/// How many keychains of one user a daemon has open.
@Suite struct KeychainLimitTests {
    @Test(
        "the 65th is told so, whatever was opened in vain before; another user's is opened, and one that goes makes room"
    )
    func limit() throws {
        let scene = try KeychainScene(isServed: false)
        let keychains = scene.served.keychains
        for number in 0..<100 {
            #expect(throws: KeychainError.self) {
                try keychains.keychain(.named("no\(number)"), of: 1, makesIt: false)
            }
        }
        for number in 0..<64 { _ = try keychains.keychain(.named("k\(number)"), of: 1, makesIt: true) }
        let refusal = #expect(throws: KeychainError.self) {
            try keychains.keychain(.named("k64"), of: 1, makesIt: true)
        }
        #expect(refusal?.reason == .notAvailable)
        #expect(refusal?.text.contains("too many keychains of this user are open") == true)
        #expect(try !scene.served.place("k64").exists)
        // Those that are open are served on.
        _ = try keychains.keychain(.named("k63"), of: 1, makesIt: false)
        _ = try keychains.keychain(.named("k64"), of: 2, makesIt: true)
        try keychains.remove(.named("k0"), of: 1, at: nil)
        _ = try keychains.keychain(.named("k65"), of: 1, makesIt: true)
        #expect(throws: KeychainError.self) { try keychains.keychain(.named("k66"), of: 1, makesIt: true) }
        scene.served.pass(seconds: UserKeychains.idleSeconds)
        _ = try keychains.keychain(.named("k66"), of: 1, makesIt: true)
        #expect(scene.served.open == ["k66"])
    }
}
