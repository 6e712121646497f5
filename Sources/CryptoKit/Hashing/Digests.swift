// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainKeys
    internal import KeychainSystem
    internal import LlaveroFoundation

    /// SHA-2 of 256 bits.
    public struct SHA256: HashFunction {
        /// What it makes.
        public typealias Digest = SHA256Digest
        /// The bytes that it takes at once.
        public static let blockByteCount = 64
        /// Which of OpenSSL's functions it is.
        public static var library: LibraryHash { LibraryHash(function: .sha256) }

        private var state = HashState(library)

        /// A digest of nothing yet.
        public init() {}

        /// Takes more bytes.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }

        /// The digest of all bytes so far; it may go on.
        public func finalize() -> SHA256Digest { SHA256Digest(bytes: state.digest()) }
    }

    /// The digest of ``SHA256``: 32 bytes.
    public struct SHA256Digest: Digest {
        let bytes: [UInt8]

        /// How many bytes it has.
        public static let byteCount = 32

        /// Lends its bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe bytes.withUnsafeBytes(body)
        }

        /// What it is, and its bytes in hexadecimal digits.
        public var description: String { "SHA256 digest: \(Hexadecimal.digits(of: bytes))" }
    }

    /// SHA-2 of 384 bits.
    public struct SHA384: HashFunction {
        /// What it makes.
        public typealias Digest = SHA384Digest
        /// The bytes that it takes at once.
        public static let blockByteCount = 128
        /// Which of OpenSSL's functions it is.
        public static var library: LibraryHash { LibraryHash(function: .sha384) }

        private var state = HashState(library)

        /// A digest of nothing yet.
        public init() {}

        /// Takes more bytes.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }

        /// The digest of all bytes so far; it may go on.
        public func finalize() -> SHA384Digest { SHA384Digest(bytes: state.digest()) }
    }

    /// The digest of ``SHA384``: 48 bytes.
    public struct SHA384Digest: Digest {
        let bytes: [UInt8]

        /// How many bytes it has.
        public static let byteCount = 48

        /// Lends its bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe bytes.withUnsafeBytes(body)
        }

        /// What it is, and its bytes in hexadecimal digits.
        public var description: String { "SHA384 digest: \(Hexadecimal.digits(of: bytes))" }
    }

    /// SHA-2 of 512 bits.
    public struct SHA512: HashFunction {
        /// What it makes.
        public typealias Digest = SHA512Digest
        /// The bytes that it takes at once.
        public static let blockByteCount = 128
        /// Which of OpenSSL's functions it is.
        public static var library: LibraryHash { LibraryHash(function: .sha512) }

        private var state = HashState(library)

        /// A digest of nothing yet.
        public init() {}

        /// Takes more bytes.
        public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }

        /// The digest of all bytes so far; it may go on.
        public func finalize() -> SHA512Digest { SHA512Digest(bytes: state.digest()) }
    }

    /// The digest of ``SHA512``: 64 bytes.
    public struct SHA512Digest: Digest {
        let bytes: [UInt8]

        /// How many bytes it has.
        public static let byteCount = 64

        /// Lends its bytes.
        public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
            try unsafe bytes.withUnsafeBytes(body)
        }

        /// What it is, and its bytes in hexadecimal digits.
        public var description: String { "SHA512 digest: \(Hexadecimal.digits(of: bytes))" }
    }

    /// Functions that are there for what was made with them; nothing new should be.
    public enum Insecure {
        /// SHA-1, for which two messages of one digest are known.
        public struct SHA1: HashFunction {
            /// What it makes.
            public typealias Digest = SHA1Digest
            /// The bytes that it takes at once.
            public static let blockByteCount = 64
            /// Which of OpenSSL's functions it is.
            public static var library: LibraryHash { LibraryHash(function: .sha1) }

            private var state = HashState(library)

            /// A digest of nothing yet.
            public init() {}

            /// Takes more bytes.
            public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }

            /// The digest of all bytes so far; it may go on.
            public func finalize() -> SHA1Digest { SHA1Digest(bytes: state.digest()) }
        }

        /// The digest of ``SHA1``: 20 bytes.
        public struct SHA1Digest: Digest {
            let bytes: [UInt8]

            /// How many bytes it has.
            public static let byteCount = 20

            /// Lends its bytes.
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
                try unsafe bytes.withUnsafeBytes(body)
            }

            /// What it is, and its bytes in hexadecimal digits.
            public var description: String { "SHA1 digest: \(Hexadecimal.digits(of: bytes))" }
        }

        /// MD5, for which two messages of one digest are found in seconds.
        public struct MD5: HashFunction {
            /// What it makes.
            public typealias Digest = MD5Digest
            /// The bytes that it takes at once.
            public static let blockByteCount = 64
            /// Which of OpenSSL's functions it is.
            public static var library: LibraryHash { LibraryHash(function: .md5) }

            private var state = HashState(library)

            /// A digest of nothing yet.
            public init() {}

            /// Takes more bytes.
            public mutating func update(bufferPointer: UnsafeRawBufferPointer) { unsafe state.update(bufferPointer) }

            /// The digest of all bytes so far; it may go on.
            public func finalize() -> MD5Digest { MD5Digest(bytes: state.digest()) }
        }

        /// The digest of ``MD5``: 16 bytes.
        public struct MD5Digest: Digest {
            let bytes: [UInt8]

            /// How many bytes it has.
            public static let byteCount = 16

            /// Lends its bytes.
            public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
                try unsafe bytes.withUnsafeBytes(body)
            }

            /// What it is, and its bytes in hexadecimal digits.
            public var description: String { "MD5 digest: \(Hexadecimal.digits(of: bytes))" }
        }
    }
#endif
