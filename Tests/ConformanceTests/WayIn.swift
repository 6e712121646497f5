// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestSwtpm
import Testing

/// What one of the four functions answered.
struct Reply {
    let status: OSStatus
    var result: AnyObject?
    /// The words that go with a failure, for people; nil from a way in that has none to give.
    var explanation: String?
}

/// One way for a program to reach a keychain; the same rows run through every one.
///
/// A way in is made on a fresh, empty, unlocked keychain whose clock stands still.
protocol WayIn {
    func add(_ attributes: NSDictionary, wantsResult: Bool) throws -> Reply
    func copy(_ query: NSDictionary, wantsResult: Bool) throws -> Reply
    func update(_ query: NSDictionary, _ attributes: NSDictionary) throws -> Reply
    func delete(_ query: NSDictionary) throws -> Reply
    func perform(_ call: KeyCall) throws -> Reply
    func perform(_ call: AccessControlCall) throws -> Reply
    func makeBackup() throws -> Reply
    func restore(_ backup: AnyObject, replaces: Bool) throws -> Reply
    func makeContext(_ description: VectorContext) throws -> AnyObject
    func invalidate(_ context: AnyObject) throws
    func setPasscode(_ text: String) throws
    func changePasscode(from old: String, to new: String) throws
    func removePasscode(_ text: String) throws
    func enroll(_ fingers: String?) throws
    /// What the person was asked so far, in words.
    var questions: [String] { get }
    func setEntitlements(_ entitlements: VectorEntitlements) throws
    func setClock(_ secondsSince2001: Double) throws
    func advanceClock(by seconds: Double) throws
    func setLockState(_ state: VectorLockState) throws
    /// Lets go of everything that the end of the program would.
    func restart() throws
    /// What the keychain's own check finds wrong; nothing, when all is well.
    func end() throws -> [String]
}

/// Which way in to make.
enum WayInKind: String, Sendable, CaseIterable, CustomTestStringConvertible {
    case swiftInMemory = "Swift, in memory"
    case swiftInFolder = "Swift, in a folder"
    case swiftOnTPM = "Swift, in a folder, on a TPM"
    case swiftThroughSocket = "Swift, through the socket of a daemon"
    case cInMemory = "C, in memory"
    case cThroughSocket = "C, through the socket of a daemon"

    var testDescription: String { rawValue }

    /// Those whose enclave is software, which need nothing of the machine.
    static let software: [WayInKind] = [
        .swiftInMemory, .swiftInFolder, .swiftThroughSocket, .cInMemory, .cThroughSocket,
    ]

    #if TPM
        /// Whether this build and this machine have one to run on.
        static let hasTPM = SwtpmProcess.isInstalled
    #else
        static let hasTPM = false
    #endif

    /// Begins for the row's program, with the row's person.
    func begin(_ row: VectorRow) throws -> any WayIn {
        let person = row.person?.scripted
        return switch self {
        case .swiftInMemory: try SwiftAPIWayIn(.inMemory, row.entitlements, person)
        case .swiftInFolder: try SwiftAPIWayIn(.temporaryFolder, row.entitlements, person)
        case .swiftThroughSocket: try SwiftAPIWayIn(.temporaryFolder, row.entitlements, person, isServed: true)
        case .cInMemory: CWayIn(try SwiftAPIWayIn(.inMemory, row.entitlements, person))
        case .cThroughSocket:
            CWayIn(try SwiftAPIWayIn(.temporaryFolder, row.entitlements, person, isServed: true))
        case .swiftOnTPM: try SwiftAPIWayIn(.temporaryFolder, row.entitlements, person, on: try SwtpmProcess())
        }
    }
}
