// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainModel
internal import KeychainStatus

extension SecurityFailure {
    /// What the call failed with that reads or writes a file.
    init(_ failure: ExchangeFailure, in call: String) {
        let status = SecurityStatus(failure.kind)
        // These say all there is in the words that scripts look for.
        let why: String? =
            switch failure.kind {
            case .verification: nil
            case .passphraseRequired: "-P gives the passphrase, --passphrase-fd N reads it from a descriptor"
            default: failure.error.description
            }
        self = .status(status, call: call, why: why)
    }

    static func translating<Result>(
        exchange call: String, _ body: () throws(ExchangeFailure) -> Result
    ) throws(SecurityFailure) -> Result {
        do throws(ExchangeFailure) { return try body() } catch { throw SecurityFailure(error, in: call) }
    }
}
