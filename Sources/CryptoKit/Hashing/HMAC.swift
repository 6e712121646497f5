// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainKeys
    internal import KeychainModel
    internal import KeychainSystem
    public import LlaveroFoundation

    /// What shows that bytes come from somebody who has a key.
    ///
    /// Two are compared in a time that does not depend on where they differ.
    public protocol MessageAuthenticationCode: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable
    where Element == UInt8 {
        /// How many bytes it has.
        var byteCount: Int { get }
    }

    extension MessageAuthenticationCode {
        /// Whether both are the same bytes.
        public static func == (lhs: Self, rhs: Self) -> Bool { ConstantTime.isEqual(lhs, rhs) }

        /// Whether these are its bytes.
        public static func == <D: DataProtocol>(lhs: Self, rhs: D) -> Bool {
            ConstantTime.isEqual(lhs, rhs.publicBytes)
        }

        /// The bytes one after the other.
        public func makeIterator() -> Array<UInt8>.Iterator { publicBytes.makeIterator() }

        /// What it is, and its bytes in hexadecimal digits.
        public var description: String { "\(Self.self): \(Hexadecimal.digits(of: publicBytes))" }
    }

    /// The code that an ``HMAC`` gives.
    public struct HashedAuthenticationCode<H: HashFunction>: MessageAuthenticationCode {
        let code: SecretValue

        /// How many bytes it has.
        public var byteCount: Int { code.count }

        /// Lends its bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe code.withUnsafeBytes(body)
        }

        /// Mixes the bytes into a hash.
        public func hash(into hasher: inout Hasher) {
            unsafe code.withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        }
    }

    /// A digest under a key (RFC 2104).
    public struct HMAC<H: HashFunction>: Sendable {
        /// What it takes.
        public typealias Key = SymmetricKey
        /// What it makes.
        public typealias MAC = HashedAuthenticationCode<H>

        private var running: RunningMAC

        /// A code of nothing yet.
        public init(key: SymmetricKey) {
            running = performingAlways("making a code") { () throws(KeyError) in
                try unsafe key.secret.withUnsafeBytes { (key) throws(KeyError) in
                    try unsafe RunningMAC(H.library.function, key: key)
                }
            }
        }

        /// The code of bytes that are all there.
        public static func authenticationCode<D: DataProtocol>(for data: D, using key: SymmetricKey) -> MAC {
            var code = HMAC(key: key)
            code.update(data: data)
            return code.finalize()
        }

        /// Whether it is the code of the bytes.
        public static func isValidAuthenticationCode<D: DataProtocol>(
            _ mac: MAC, authenticating authenticatedData: D, using key: SymmetricKey
        ) -> Bool {
            authenticationCode(for: authenticatedData, using: key) == mac
        }

        /// Whether it is the code of the bytes.
        public static func isValidAuthenticationCode<C: ContiguousBytes, D: DataProtocol>(
            _ authenticationCode: C, authenticating authenticatedData: D, using key: SymmetricKey
        ) -> Bool {
            ConstantTime.isEqual(self.authenticationCode(for: authenticatedData, using: key), authenticationCode)
        }

        /// Whether it is the code of the bytes.
        public static func isValidAuthenticationCode(
            _ mac: MAC, authenticating bufferPointer: UnsafeRawBufferPointer, using key: SymmetricKey
        ) -> Bool {
            var code = HMAC(key: key)
            unsafe code.update(bytes: bufferPointer)
            return code.finalize() == mac
        }

        /// Takes more bytes.
        public mutating func update<D: DataProtocol>(data: D) {
            for region in data.regions { unsafe region.withUnsafeBytes { bytes in unsafe update(bytes: bytes) } }
        }

        mutating func update(bytes: UnsafeRawBufferPointer) {
            if !isKnownUniquelyReferenced(&running) {
                running = performingAlways("copying a code") { () throws(KeyError) in try running.copy() }
            }
            performingAlways("computing a code") { () throws(KeyError) in try unsafe running.update(bytes) }
        }

        /// The code of all bytes so far; it may go on.
        public func finalize() -> MAC {
            performingAlways("computing a code") { () throws(KeyError) in
                let code = try unsafe SecretValue(count: H.library.function.size) { (output) throws(KeyError) in
                    try unsafe running.code(into: output)
                }
                return MAC(code: code)
            }
        }
    }

    /// Keys made from a secret that is hard to guess (RFC 5869).
    ///
    /// More than 255 times the digest's size cannot be derived, and ends the program, as on Apple's systems.
    public struct HKDF<H: HashFunction>: Sendable {
        /// A key made with salt and information.
        public static func deriveKey<Salt: DataProtocol, Info: DataProtocol>(
            inputKeyMaterial: SymmetricKey, salt: Salt, info: Info, outputByteCount: Int
        ) -> SymmetricKey {
            let first = extract(inputKeyMaterial: inputKeyMaterial, salt: salt)
            return expand(pseudoRandomKey: first, info: info, outputByteCount: outputByteCount)
        }

        /// A key made with information alone.
        public static func deriveKey<Info: DataProtocol>(
            inputKeyMaterial: SymmetricKey, info: Info, outputByteCount: Int
        ) -> SymmetricKey {
            deriveKey(inputKeyMaterial: inputKeyMaterial, salt: [], info: info, outputByteCount: outputByteCount)
        }

        /// A key made with salt alone.
        public static func deriveKey<Salt: DataProtocol>(
            inputKeyMaterial: SymmetricKey, salt: Salt, outputByteCount: Int
        ) -> SymmetricKey {
            deriveKey(inputKeyMaterial: inputKeyMaterial, salt: salt, info: [], outputByteCount: outputByteCount)
        }

        /// A key made with neither salt nor information.
        public static func deriveKey(inputKeyMaterial: SymmetricKey, outputByteCount: Int) -> SymmetricKey {
            deriveKey(inputKeyMaterial: inputKeyMaterial, salt: [], info: [], outputByteCount: outputByteCount)
        }

        /// The first step alone: what is spread over the secret comes together in a digest's size.
        public static func extract<Salt: DataProtocol>(
            inputKeyMaterial: SymmetricKey, salt: Salt?
        ) -> HashedAuthenticationCode<H> {
            // No salt is as many zeros as the digest has bytes, and HMAC fills a short key with zeros.
            var code = HMAC<H>(key: SymmetricKey(data: salt.map(\.publicBytes) ?? []))
            unsafe inputKeyMaterial.withUnsafeBytes { bytes in unsafe code.update(bytes: bytes) }
            return code.finalize()
        }

        /// The second step alone: as many bytes as are wanted.
        public static func expand<PRK: ContiguousBytes, Info: DataProtocol>(
            pseudoRandomKey prk: PRK, info: Info?, outputByteCount: Int
        ) -> SymmetricKey {
            let info = info.map(\.publicBytes) ?? []
            return unsafe prk.withUnsafeBytes { prk in
                performingAlways("deriving a key") { () throws(KeyError) in
                    SymmetricKey(
                        secret: try unsafe KeyExpansion.expand(
                            prk, info: info, H.library.function, count: outputByteCount))
                }
            }
        }
    }
#endif
