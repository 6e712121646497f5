// SPDX-License-Identifier: Apache-2.0

internal import Security

/// A status other than success, thrown by ``ItemCalls`` and translated by each wrapper into its own error.
struct StatusFailure: Error, Sendable {
    let status: OSStatus
}

extension KeychainWrapperError {
    /// Does the work and throws its failure as an error of this type.
    static func translating<Result>(
        _ work: () throws(StatusFailure) -> Result
    ) throws(KeychainWrapperError) -> Result {
        do throws(StatusFailure) {
            return try work()
        } catch {
            throw .status(error.status)
        }
    }
}
