// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel
internal import KeychainParsing
internal import KeychainRequest

/// One call of a SecItem function, in three parts: the caller's objects are read, a person may have to be asked, and the
/// caller's objects are made.
///
/// Only the middle takes long, and it needs nothing that belongs to the caller's thread.
protocol ItemCall: Sendable {
    associatedtype Answer: Sendable
    /// The keychain it is about.
    var host: any KeychainHost { get }
    /// How what items demand may be met.
    var authentication: AuthenticationTerms { get set }

    func answer() throws(KeychainError) -> Answer

    /// Sets a result to what was asked for, or leaves it alone where nothing was.
    func give(_ answer: Answer, to result: UnsafeMutablePointer<CFTypeRef?>?)
}

extension ItemCall {
    /// All three parts on the caller's thread.
    func run(_ result: UnsafeMutablePointer<CFTypeRef?>?) throws(KeychainError) {
        unsafe give(try answer(), to: result)
    }
}

extension ItemCall where Answer == Void {
    func give(_ answer: Void, to result: UnsafeMutablePointer<CFTypeRef?>?) {}
}

/// Who has the keychains that a dictionary names.
extension NamedKeychains {
    /// The one that a new item goes to, or a change is made in.
    func host() throws(KeychainError) -> any KeychainHost {
        guard let used else { return try CurrentKeychain.host() }
        return try NamedKeychains.host(of: used)
    }

    /// Whether a search has more than one to look into.
    var areSeveral: Bool { searched.count > 1 }

    /// Those to search when they are several.
    func severalHosts() throws(KeychainError) -> [any KeychainHost] {
        var hosts: [any KeychainHost] = []
        for keychain in searched { hosts.append(try NamedKeychains.host(of: keychain)) }
        return hosts
    }

    /// The one to search when it is one.
    func searchedHost() throws(KeychainError) -> any KeychainHost {
        guard let only = searched.first else { return try host() }
        return try NamedKeychains.host(of: only)
    }

    private static func host(of carrier: any KeychainCarrying) throws(KeychainError) -> any KeychainHost {
        guard let keychain = carrier as? SecKeychain else {
            throw KeychainError(.parameter, "the value is not a SecKeychain", subject: "u_Keychain")
        }
        return try keychain.host()
    }
}
