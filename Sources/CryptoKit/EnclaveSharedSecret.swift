// SPDX-License-Identifier: Apache-2.0

#if SwiftCrypto
    public import Crypto
    internal import KeychainModel
    public import LlaveroFoundation

    /// What a key of the enclave and another's public key agree on: to derive keys from, not to use as one.
    ///
    /// swift-crypto lets nobody else make a value of its `SharedSecret`; this one has the same functions.
    public struct EnclaveSharedSecret: ContiguousBytes, Sendable {
        private let secret: SecretValue

        init(copying bytes: Data) {
            secret = unsafe bytes.withUnsafeBytes { bytes in unsafe SecretValue(copying: bytes) }
        }

        /// Lends its bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe secret.withUnsafeBytes(body)
        }

        /// A key derived by `HKDF`.
        public func hkdfDerivedSymmetricKey<H: HashFunction, Salt: DataProtocol, SI: DataProtocol>(
            using hashFunction: H.Type, salt: Salt, sharedInfo: SI, outputByteCount: Int
        ) -> SymmetricKey {
            HKDF<H>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: self), salt: salt, info: sharedInfo,
                outputByteCount: outputByteCount)
        }

        /// A key derived as ANSI X9.63 has it: digests of the secret, a counter and the information, in a row.
        public func x963DerivedSymmetricKey<H: HashFunction, SI: DataProtocol>(
            using hashFunction: H.Type, sharedInfo: SI, outputByteCount: Int
        ) -> SymmetricKey {
            let output = unsafe SecretValue(count: outputByteCount) { output in
                var (place, counter) = (0, UInt32(1))
                while place < output.count {
                    var hash = H()
                    unsafe secret.withUnsafeBytes { bytes in unsafe hash.update(bufferPointer: bytes) }
                    unsafe Swift.withUnsafeBytes(of: counter.bigEndian) { bytes in
                        unsafe hash.update(bufferPointer: bytes)
                    }
                    hash.update(data: sharedInfo)
                    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: output[place...])
                    unsafe hash.finalize().withUnsafeBytes { digest in
                        unsafe free.copyBytes(from: digest.prefix(free.count))
                        place += min(digest.count, free.count)
                    }
                    counter += 1
                }
            }
            return unsafe output.withUnsafeBytes { bytes in unsafe SymmetricKey(data: bytes) }
        }
    }

    extension EnclaveSharedSecret: CustomStringConvertible, CustomReflectable {
        /// Nothing of its bytes.
        public var description: String { "EnclaveSharedSecret(redacted)" }
        /// Shows nothing of what it holds.
        public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
    }
#endif
