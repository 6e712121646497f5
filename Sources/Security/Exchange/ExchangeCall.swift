// SPDX-License-Identifier: Apache-2.0

internal import KeychainConnection
internal import KeychainExchange
internal import KeychainModel
internal import KeychainStatus

/// One call of a public function that imports or exports.
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

    /// Runs the part of a call that asks OpenSSL, whose locks a fork must not find taken.
    ///
    /// What goes to the keychain comes after it: that may wait for a person, and a fork waits for an operation.
    static func operation<Result>(
        _ body: () throws(ExchangeFailure) -> Result
    ) throws(ExchangeFailure) -> Result {
        var failure: ExchangeFailure?
        do throws(KeychainError) {
            return try KeychainConnection.operation { () throws(KeychainError) in
                do throws(ExchangeFailure) { return try body() } catch {
                    failure = error
                    throw error.error
                }
            }
        } catch {
            throw failure ?? ExchangeFailure(error)
        }
    }
}
