// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainModel
    internal import LlaveroFoundation

    extension DataProtocol {
        /// Lends all bytes at once; where they lie in several places, a copy that is wiped.
        func lendingAll<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            if regions.count == 1, let only = regions.first {
                return try unsafe only.withUnsafeBytes { bytes in try unsafe body(bytes) }
            }
            let copy = secretCopy()
            return try unsafe copy.withUnsafeBytes { bytes in try unsafe body(bytes) }
        }

        /// Lends the bytes as they lie, one place after the other.
        func lendingEach(_ body: (UnsafeRawBufferPointer) -> Void) {
            for region in regions { unsafe region.withUnsafeBytes { bytes in unsafe body(bytes) } }
        }

        /// A copy that is wiped.
        func secretCopy() -> SecretValue {
            unsafe SecretValue(count: count) { output in
                var place = 0
                unsafe lendingEach { bytes in
                    unsafe UnsafeMutableRawBufferPointer(rebasing: output[place...]).copyMemory(from: bytes)
                    place += bytes.count
                }
            }
        }

        /// A copy of what is no secret.
        var publicBytes: [UInt8] { Array(self) }
    }

    extension ContiguousBytes {
        /// A copy of what is no secret.
        var publicBytes: [UInt8] { unsafe withUnsafeBytes { bytes in unsafe Array(bytes) } }
    }

    extension SecretValue {
        /// A copy of what is no secret.
        var publicBytes: [UInt8] { unsafe withUnsafeBytes { bytes in unsafe Array(bytes) } }
    }

    extension Data {
        /// The caller's own copy of a secret: it is wiped by nobody.
        init(giving secret: borrowing SecretBytes) {
            self = unsafe secret.withUnsafeBytes { bytes in unsafe Data(bytes) }
        }
    }
#endif
