// SPDX-License-Identifier: Apache-2.0

/// No reader at all.
package struct NoFingerprintReader: FingerprintReader {
    package init() {}

    package func state(_ cancellation: PromptCancellation) throws(FingerprintError) -> FingerprintState { .noReader }

    package func verify(
        _ reason: String, _ cancellation: PromptCancellation, timeout: UInt32
    ) throws(FingerprintError) {
        throw .notAvailable("this program uses no fingerprint reader")
    }
}
