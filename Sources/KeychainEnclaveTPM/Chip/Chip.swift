// SPDX-License-Identifier: Apache-2.0

#if TPM
    internal import CTSS2
    package import KeychainCrypto
    internal import KeychainModel
    internal import KeychainSystem

    /// One visit to a TPM; what it loaded meanwhile is flushed when the visit ends.
    // Safe: the pointers are made in init, freed in `leave`, and no chip is kept longer than its visit.
    @safe
    final class Chip {
        let functions: UnsafePointer<llv_tss2>
        let context: OpaquePointer
        private let line: OpaquePointer
        private var loaded: [ESYS_TR] = []
        private var authorized: [ESYS_TR] = []

        /// Runs `body` with a chip that no other thread of this process uses meanwhile.
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
            let opened = unsafe llv_line_open(place.connection, place.timeout, &line)
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
            // The chip is not lent yet, so it is left here.
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

        func setAuthorization(_ authorization: borrowing ChipAuthorization, of handle: ESYS_TR) throws(Refusal) {
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
        /// one client at a time, so they are not missed; a device's are the kernel's business.
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

    extension Chip {
        /// The handles in use from `first` on, of the same kind.
        func handles(from first: UInt32) throws(Refusal) -> [UInt32] {
            try capability(llv_capability_handles, from: first) { (data) throws(Refusal) in
                try unsafe values(of: data.handles.handle, count: data.handles.count) as [UInt32]
            }
        }

        /// Numbers a TPM tells of itself, by property, from `first` on.
        func properties(from first: UInt32) throws(Refusal) -> [UInt32: UInt32] {
            let pairs = try capability(llv_capability_properties, from: first) { (data) throws(Refusal) in
                try unsafe values(of: data.tpmProperties.tpmProperty, count: data.tpmProperties.count)
                    as [TPMS_TAGGED_PROPERTY]
            }
            return Dictionary(pairs.map { ($0.property, $0.value) }) { first, _ in first }
        }

        private func capability<Result>(
            _ capability: TPM2_CAP, from first: UInt32, _ body: (TPMU_CAPABILITIES) throws(Refusal) -> Result
        ) throws(Refusal) -> Result {
            var answer: UnsafeMutablePointer<TPMS_CAPABILITY_DATA>?
            defer { unsafe free(answer) }
            var hasMore: TPMI_YES_NO = 0
            try unsafe check(
                functions.pointee.Esys_GetCapability(
                    context, llv_tr_none, llv_tr_none, llv_tr_none, capability, first, 64, &hasMore, &answer))
            guard let answer = unsafe answer, unsafe answer.pointee.capability == capability else { throw .malformed }
            return try unsafe body(answer.pointee.data)
        }

        private func values<Array, Value>(of array: Array, count: UInt32) throws(Refusal) -> [Value] {
            guard Int(count) <= MemoryLayout<Array>.size / MemoryLayout<Value>.stride else { throw .malformed }
            return unsafe withUnsafeBytes(of: array) { bytes in
                (0..<Int(count)).map {
                    unsafe bytes.loadUnaligned(fromByteOffset: $0 * MemoryLayout<Value>.stride, as: Value.self)
                }
            }
        }
    }

    /// Where a TPM is, and how long each of its answers may take.
    struct ChipPlace: Sendable {
        /// "device:/dev/tpmrm0", or "swtpm:path=" and the path of a socket.
        let connection: String
        /// In milliseconds.
        let timeout: Int32

        var isEmulator: Bool { connection.hasPrefix("swtpm:") }

        /// What keeps two threads of this process from visiting it at once.
        var turn: ForkSafeMutex<Void> {
            ChipPlace.turns.withLock { turns in
                if let turn = turns[connection] { return turn }
                let turn = ForkSafeMutex<Void>(())
                turns[connection] = turn
                return turn
            }
        }

        // One for each place, not for each enclave: an emulator lets a second client wait until the first has gone.
        private static let turns = ForkSafeMutex<[String: ForkSafeMutex<Void>]>([:])
    }

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
