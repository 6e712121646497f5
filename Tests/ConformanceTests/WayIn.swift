// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
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

    var testDescription: String { rawValue }

    func begin(_ entitlements: VectorEntitlements) throws -> any WayIn {
        switch self {
        case .swiftInMemory: try SwiftAPIWayIn(.inMemory, entitlements)
        case .swiftInFolder: try SwiftAPIWayIn(.temporaryFolder, entitlements)
        }
    }
}
