// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainExchange
    internal import KeychainKeys
    internal import KeychainSystem
    internal import Security
    @_exported public import LlaveroFoundation

    /// Why something cryptographic could not be done.
    public enum CryptoKitError: Error, Equatable, Sendable {
        /// A key of a size that the algorithm does not have.
        case incorrectKeySize
        /// A nonce, tag, representation or wrapped key of another size than it has to have.
        case incorrectParameterSize
        /// What was opened was changed, or sealed under another key.
        case authenticationFailure
        /// The library below refused; the number is OpenSSL's.
        case underlyingCoreCryptoError(error: Int32)
        /// A key could not be wrapped.
        case wrapFailure
        /// A wrapped key was changed, or wrapped under another one.
        case unwrapFailure
        /// A parameter that cannot be: a point that is not on the curve, a number out of range.
        case invalidParameter
    }

    extension CryptoKitError: LocalizedError {
        /// What to do, where there is something; nil for the others.
        public var errorDescription: String? {
            guard self == .latticeNotOffered else { return nil }
            return "ML-KEM and ML-DSA require OpenSSL 3.5 or newer, and the program runs with an older one."
        }

        /// The status of what is not implemented, which is no number of OpenSSL's.
        fileprivate static let latticeNotOffered = CryptoKitError.underlyingCoreCryptoError(
            error: errSecUnimplemented)
    }

    /// Why DER or PEM could not be read.
    public enum CryptoKitASN1Error: Error, Equatable, Sendable {
        /// The bytes are not the DER of such a key or signature.
        case invalidASN1Object
        /// The text has no block of PEM with such a key.
        case invalidPEMDocument
    }

    /// Runs the module of keys, with its errors in this module's words; no fork happens meanwhile.
    func performing<Result>(
        refused: CryptoKitError = .invalidParameter, _ body: () throws(KeyError) -> Result
    ) throws(CryptoKitError) -> Result {
        do throws(KeyError) { return try ForkGate.operation(body) } catch {
            switch error {
            case .malformed, .mismatchedHalves, .invalidParameter, .missingParameter: throw .invalidParameter
            case .unsupportedKey: throw .incorrectKeySize
            case .invalidLength: throw .incorrectParameterSize
            case .notOffered: throw .latticeNotOffered
            case .refused: throw refused
            case .library(let number): throw .underlyingCoreCryptoError(error: Int32(truncatingIfNeeded: number))
            case .unsupportedAlgorithm, .notExportable, .holder, .outOfMemory, .randomnessUnavailable:
                throw .underlyingCoreCryptoError(error: 0)
            }
        }
    }

    /// Runs what cannot fail but for memory, where the caller has no way to be told.
    // As Swift's own memory does. A digest of nothing, or a key of zeros, would be worse than no answer.
    func performingAlways<Result>(
        _ what: StaticString, _ body: () throws(KeyError) -> Result
    ) -> Result {
        do throws(KeyError) { return try ForkGate.operation(body) } catch {
            preconditionFailure("\(what) failed: \(error)")
        }
    }
#endif
