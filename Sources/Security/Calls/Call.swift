// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainEngine
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainStatus
internal import KeychainSystem

/// One call of a public function: a status for the program, an explanation for its developer.
enum Call {
    static func status(
        _ name: StaticString, _ body: () throws(KeychainError) -> Void
    ) -> OSStatus {
        do throws(KeychainError) {
            try ForkGate.operation(body)
            return errSecSuccess
        } catch {
            Log.failure(of: name, error)
            LastFailure.set(error)
            return OSStatus(error.reason)
        }
    }
}

/// Why this thread's last failing call failed.
enum LastFailure {
    private static let key = "org.llavero.last-failure"

    /// Boxed as it is: most failures are "not found", and their text is rarely read.
    private final class Box {
        let error: KeychainError
        init(_ error: KeychainError) { self.error = error }
    }

    static func set(_ error: KeychainError) {
        Thread.current.threadDictionary[key] = Box(error)
    }

    static var text: String? {
        (Thread.current.threadDictionary[key] as? Box)?.error.description
    }
}

/// One call of a public function that reports its failure as an error object.
enum KeyCall {
    typealias ErrorPointer = UnsafeMutablePointer<Unmanaged<CFError>?>

    /// What `body` returns; nil, and an error, when it throws.
    static func result<Result>(
        _ name: StaticString, _ error: ErrorPointer?, _ body: () throws(KeychainError) -> Result
    ) -> Result? {
        do throws(KeychainError) {
            return try ForkGate.operation(body)
        } catch let failure {
            Log.failure(of: name, failure)
            LastFailure.set(failure)
            unsafe report(OSStatus(failure.reason), failure.description, error)
            return nil
        }
    }

    /// Sets the error, which the caller releases.
    static func report(_ status: OSStatus, _ explanation: String, _ error: ErrorPointer?) {
        guard let error = unsafe error else { return }
        let failure = NSError(
            domain: NSOSStatusErrorDomain, code: Int(status), userInfo: [NSLocalizedDescriptionKey: explanation])
        unsafe error.pointee = Unmanaged.passRetained(failure)
    }

    /// Runs a key's operation, with its error in the module's own words.
    static func using<Result>(_ body: () throws(KeyError) -> Result) throws(KeychainError) -> Result {
        do throws(KeyError) { return try body() } catch { throw KeychainError(error) }
    }
}

/// One call of a public function that imports or exports.
///
/// It is no single operation to the fork gate: what asks OpenSSL is one, and what goes to the keychain comes after it, for
/// that may wait for a person.
enum ExchangeCall {
    /// A status for the program, an explanation for its developer.
    static func status(_ name: StaticString, _ body: () throws(ExchangeFailure) -> Void) -> OSStatus {
        do throws(ExchangeFailure) {
            try body()
            return errSecSuccess
        } catch {
            if case .keychain(let status) = error.kind { return status.number }
            Log.failure(of: name, error.error)
            LastFailure.set(error.error)
            return OSStatus(error.kind)
        }
    }
}
