// SPDX-License-Identifier: Apache-2.0

// The two `use` differ in being asynchronous, which tells a trailing closure's reader enough.
// swift-format-ignore-file: AmbiguousTrailingClosureOverload

import Foundation
import KeychainAuthentication
import KeychainConnection
import KeychainCrypto
import KeychainEngine
import Security
import TestProcesses

/// A program with a keychain on the disk, a clock that stands still, and somebody who can be asked.
///
/// Unlike `IsolatedKeychain` it takes a person of the test's own.
final class AccessKeychain: Sendable {
    let person: Person
    private let host: EmbeddedHost
    private let clock = SimulatedClock()
    private let folder: TestFolder

    init(_ person: Person = Person(), passcode: String? = Passcodes.first) throws {
        self.person = person
        folder = try TestFolder()
        host = AccessKeychain.host(in: folder, person, clock, AccessKeychain.noTPM)
        clock.set(AccessKeychain.startOfTime)
        if let passcode { try setPasscode(passcode) }
    }

    /// Another program on the keychain of one, which may have a TPM, and spend more on passwords.
    init(beside other: AccessKeychain, tpm: String = noTPM, cost: PasscodeCost = .light) {
        (person, folder) = (other.person, other.folder)
        host = AccessKeychain.host(in: folder, person, clock, tpm, cost)
        clock.set(AccessKeychain.startOfTime)
    }

    deinit { host.closeIdle() }

    /// Runs code whose calls act on this keychain, on this thread.
    func use<Result>(_ body: () throws -> Result) rethrows -> Result {
        try CurrentKeychain.$isolated.withValue(host, operation: body)
    }

    /// Runs code whose calls act on this keychain, in this task and in those it starts.
    func use<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CurrentKeychain.$isolated.withValue(host, operation: body)
    }

    /// Lets go of everything, as the end of the program and another start would.
    func restart() {
        host.forgetKeys()
        host.closeIdle()
    }

    func advanceClock(by seconds: Double) { clock.advance(by: seconds) }

    /// The path of one of the keychain's files.
    func file(_ name: String) -> String { folder.file("login/" + name) }

    func check() throws -> [String] { try host.check().map { $0 } }

    // What a program asks of the keybag.

    func setPasscode(_ text: String) throws {
        try use { try Llavero.keybag.setPasscode(Llavero.Passcode(text), erasingAfter: nil) }
    }

    func removePasscode(_ text: String) throws -> Int {
        try use { try Llavero.keybag.removePasscode(Llavero.Passcode(text)) }
    }

    func changePasscode(from old: String, to new: String) throws {
        try use { try Llavero.keybag.changePasscode(from: Llavero.Passcode(old), to: Llavero.Passcode(new)) }
    }

    func unlock(_ text: String) throws { try use { try Llavero.keybag.unlock(with: Llavero.Passcode(text)) } }
    func lock() throws { try use { try Llavero.keybag.lock() } }

    /// Waits out the delay after wrong passcodes and ends their row with the right one.
    func forgiveAttempts(_ text: String = Passcodes.first) throws {
        advanceClock(by: 7200)
        try use { try Llavero.keybag.verify(Llavero.Passcode(text)) }
    }

    private static func host(
        in folder: TestFolder, _ person: Person, _ clock: SimulatedClock, _ tpm: String,
        _ cost: PasscodeCost = .light
    ) -> EmbeddedHost {
        let plan = CreationPlan(tpm: tpm)
        return EmbeddedHost(
            place: .folder(root: folder.path, name: "login"), entitlements: .open, clock: { clock.now },
            passcodeCost: cost, authenticators: Authenticators(prompt: person, fingers: person), tpm: { plan.tpm },
            plan: { plan })
    }

    /// A TPM that is not there: no test may touch the machine's own.
    static let noTPM = "swtpm:path=/nonexistent/tpm"
    private static let startOfTime = 800_000_000.0
}
