// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import KeychainConnection
internal import KeychainModel

/// One call of a public function: a status for the program, an explanation for its developer.
enum Call {
    static func status(
        _ name: StaticString, _ body: () throws(KeychainError) -> Void
    ) -> OSStatus {
        do throws(KeychainError) {
            try KeychainConnection.operation(body)
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

    /// Boxed as it is: most failures are "not found", and nobody ever reads their text.
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
