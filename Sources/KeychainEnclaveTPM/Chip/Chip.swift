// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    internal import KeychainEnclave

    /// One visit to a TPM; what it loaded meanwhile is flushed when the visit ends.
    // Safe: the pointers are made in init, freed in `leave`, and nobody keeps a chip longer than its visit.
    @safe
    final class Chip {
        let functions: UnsafePointer<llv_tss2>
        let context: OpaquePointer
        private let line: OpaquePointer
        private var loaded: [ESYS_TR] = []
        private var authorized: [ESYS_TR] = []

        /// Runs `body` with a chip that nobody else of this process uses meanwhile.
        static func visit<Result: ~Copyable>(
            _ place: ChipPlace, _ body: (Chip) throws(EnclaveError) -> sending Result
        ) throws(EnclaveError) -> sending Result {
            let chip = try EnclaveError.translating { () throws(Refusal) in try Chip(place) }
            defer { chip.leave() }
            return try body(chip)
        }

        private init(_ place: ChipPlace) throws(Refusal) {
            guard let functions = unsafe llv_tss2_functions() else { throw Refusal(code: llv_rc_not_installed) }
            var line: OpaquePointer?
            let opened = unsafe llv_line_open(place.connection, place.patience, &line)
            guard opened == 0, let line = unsafe line else { throw Refusal(code: opened) }
            var context: OpaquePointer?
            let made = unsafe functions.pointee.Esys_Initialize(&context, line, nil)
            guard made == 0, let context = unsafe context else {
                unsafe llv_line_close(line)
                throw Refusal(code: made)
            }
            unsafe self.functions = functions
            unsafe self.line = line
            unsafe self.context = context
            guard place.isEmulator else { return }
            // Nobody has the chip yet who would leave it.
            do throws(Refusal) { try flushLeftovers() } catch {
                leave()
                throw error
            }
        }

        func check(_ code: TSS2_RC) throws(Refusal) {
            guard code == 0 else { throw Refusal(code: code) }
        }

        /// Takes note of something to be flushed in the end.
        func keep(_ handle: ESYS_TR) -> ESYS_TR {
            loaded.append(handle)
            return handle
        }

        /// Flushes one thing before the others.
        func flush(_ handle: ESYS_TR) {
            loaded.removeAll { $0 == handle }
            _ = unsafe functions.pointee.Esys_FlushContext(context, handle)
        }

        private func leave() {
            forgetAuthorizations()
            for handle in loaded.reversed() { _ = unsafe functions.pointee.Esys_FlushContext(context, handle) }
            unsafe llv_line_hang_up(line)
            overwrite()
            var gone: OpaquePointer? = unsafe context
            unsafe functions.pointee.Esys_Finalize(&gone)
            unsafe llv_line_close(line)
        }

        func setAuthorization(_ authorization: borrowing Authorization, of handle: ESYS_TR) throws(Refusal) {
            authorized.append(handle)
            try unsafe check(authorization.lend { unsafe functions.pointee.Esys_TR_SetAuth(context, handle, $0) })
        }

        private func forgetAuthorizations() {
            var zeros = TPM2B_AUTH()
            zeros.size = 32
            for handle in authorized { _ = unsafe functions.pointee.Esys_TR_SetAuth(context, handle, &zeros) }
        }

        /// Puts zeros where tpm2-tss has kept secrets of ours, which it frees without wiping.
        ///
        /// It decrypts answers in the buffer that it writes commands to, and notes what is to be sealed. This command
        /// is longer than any secret answer, seals nothing, and goes nowhere.
        private func overwrite() {
            var (template, secret) = (TPM2B_PUBLIC.sealedForValue, TPM2B_SENSITIVE_CREATE())
            var (data, registers) = (TPM2B_DATA(), TPML_PCR_SELECTION())
            secret.sensitive.userAuth.size = 32
            secret.sensitive.data.size = 128
            _ = unsafe functions.pointee.Esys_Create(
                context, llv_tr_owner, llv_tr_password, llv_tr_none, llv_tr_none, &secret, &template, &data,
                &registers, nil, nil, nil, nil, nil)
        }

        /// Flushes what earlier clients left.
        ///
        /// An emulator has no resource manager, and is full after three objects of programs that were killed. It serves
        /// one client at a time, so nobody misses them; a device's are the kernel's business.
        private func flushLeftovers() throws(Refusal) {
            for first in [
                llv_handles_first_transient, llv_handles_first_loaded_session, llv_handles_first_saved_session,
            ] {
                for number in try handles(from: first) {
                    if let handle = try object(at: number) { flush(handle) }
                }
            }
        }
    }

    @available(*, unavailable)
    extension Chip: Sendable {}
#endif
