// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    package import KeychainEnclave

    /// What came instead of success: a response code of the TPM's or of tpm2-tss's.
    package struct Refusal: Error, Sendable, Equatable {
        package let code: UInt32

        package init(code: UInt32) { self.code = code }

        /// Bytes we keep, or the TPM's answer, are not what they should be.
        static let malformed = Refusal(code: llv_rc_malformed)

        /// An authorisation value was wrong.
        var isWrongAuthorization: Bool { number == llv_rc_auth_fail || number == llv_rc_bad_auth }

        /// A counter of failures has reached its limit.
        var isExhausted: Bool { code == llv_rc_auth_unavailable }

        /// There is nothing at a handle.
        var isMissing: Bool { number == llv_rc_handle }

        /// The TPM, or tpm2-tss, cannot take what it was given: a blob of another's, or a damaged one.
        var isAboutContent: Bool {
            self == .malformed
                || (isFormatOne && code & llv_rc_parameter != 0 && !isWrongAuthorization)
        }

        /// The TPM itself refused, so the way to it is intact.
        var isFromChip: Bool { code & llv_rc_layer == 0 }

        // Codes of this form say which handle, session or parameter they are about; without that they are a number.
        private var number: UInt32? { isFormatOne ? code & (llv_rc_format_one | 0x3f) : nil }

        private var isFormatOne: Bool { isFromChip && code & llv_rc_format_one != 0 }
    }

    extension EnclaveError {
        package init(_ refusal: Refusal) {
            switch refusal.code {
            case llv_rc_lockout: self = .lockedOut
            case llv_rc_not_installed, llv_rc_initialize, llv_rc_failure: self = .unavailable(refusal.code)
            case let code where code & llv_rc_layer == llv_rc_layer_tcti: self = .unavailable(code)
            default: self = .failed(Int64(refusal.code))
            }
        }

        /// Runs `body`; what the TPM refuses becomes the error it stands for.
        static func translating<Result: ~Copyable>(
            _ body: () throws(Refusal) -> Result
        ) throws(EnclaveError) -> Result {
            do throws(Refusal) { return try body() } catch { throw EnclaveError(error) }
        }
    }
#endif
