// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainEngine
internal import KeychainKeys
internal import KeychainModel

/// One call of a public function that reports its failure as an error object.
enum KeyCall {
    typealias ErrorPointer = UnsafeMutablePointer<Unmanaged<CFError>?>

    /// What `body` returns; nil, and an error, when it throws.
    static func result<Result>(
        _ name: StaticString, _ error: ErrorPointer?, _ body: () throws(KeychainError) -> Result
    ) -> Result? {
        do throws(KeychainError) {
            // OpenSSL's locks and ours are not held by anybody at the moment of a fork.
            return try KeychainConnection.operation(body)
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
