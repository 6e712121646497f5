// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainCrypto
    internal import KeychainKeys
    public import LlaveroFoundation

    /// A function that makes a digest of bytes.
    ///
    /// The functions are those of this module: `library` can be given by no other, since OpenSSL computes all of them.
    public protocol HashFunction: Sendable {
        /// What it makes.
        associatedtype Digest: CryptoKit.Digest

        /// The bytes that it takes at once.
        static var blockByteCount: Int { get }
        /// Which of OpenSSL's functions it is.
        static var library: LibraryHash { get }

        /// A digest of nothing yet.
        init()
        /// Takes more bytes.
        mutating func update(bufferPointer: UnsafeRawBufferPointer)
        /// The digest of all bytes so far; it may go on.
        func finalize() -> Digest
    }

    /// Which of OpenSSL's digests a function is; only this module has values of it.
    public struct LibraryHash: Sendable {
        let function: KeychainKeys.HashFunction
    }

    extension HashFunction {
        /// The digest of bytes that are all there.
        public static func hash(bufferPointer: UnsafeRawBufferPointer) -> Digest {
            var function = Self()
            unsafe function.update(bufferPointer: bufferPointer)
            return function.finalize()
        }

        /// The digest of bytes that are all there.
        public static func hash<D: DataProtocol>(data: D) -> Digest {
            var function = Self()
            function.update(data: data)
            return function.finalize()
        }

        /// Takes more bytes.
        public mutating func update<D: DataProtocol>(data: D) {
            for region in data.regions {
                unsafe region.withUnsafeBytes { bytes in unsafe update(bufferPointer: bytes) }
            }
        }

        /// The bytes of its digest.
        public static var byteCount: Int { Digest.byteCount }
    }

    /// What a function made of bytes.
    ///
    /// Two are compared in a time that does not depend on where they differ.
    public protocol Digest: Hashable, ContiguousBytes, CustomStringConvertible, Sequence, Sendable
    where Element == UInt8 {
        /// How many bytes it has.
        static var byteCount: Int { get }
    }

    extension Digest {
        /// The bytes one after the other.
        public func makeIterator() -> Array<UInt8>.Iterator { publicBytes.makeIterator() }

        /// Whether both are the same bytes.
        public static func == (lhs: Self, rhs: Self) -> Bool { ConstantTime.isEqual(lhs, rhs) }

        /// Whether these are the digest's bytes.
        public static func == <D: DataProtocol>(lhs: Self, rhs: D) -> Bool {
            ConstantTime.isEqual(lhs, rhs.publicBytes)
        }

        /// Whether these are not the digest's bytes.
        public static func != <D: DataProtocol>(lhs: Self, rhs: D) -> Bool { !(lhs == rhs) }

        /// Mixes the bytes into a hash.
        public func hash(into hasher: inout Hasher) {
            unsafe withUnsafeBytes { bytes in unsafe hasher.combine(bytes: bytes) }
        }
    }

    enum ConstantTime {
        static func isEqual<Left: ContiguousBytes, Right: ContiguousBytes>(_ left: Left, _ right: Right) -> Bool {
            unsafe left.withUnsafeBytes { left in
                unsafe right.withUnsafeBytes { right in unsafe isEqualInConstantTime(left, right) }
            }
        }
    }

    /// A digest that is being computed, as a value: a copy goes on by itself.
    struct HashState: Sendable {
        private var running: RunningHash

        init(_ hash: LibraryHash) {
            running = performingAlways("making a digest") { () throws(KeyError) in try RunningHash(hash.function) }
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            if !isKnownUniquelyReferenced(&running) {
                running = performingAlways("copying a digest") { () throws(KeyError) in try running.copy() }
            }
            performingAlways("computing a digest") { () throws(KeyError) in try unsafe running.update(bytes) }
        }

        func digest() -> [UInt8] {
            performingAlways("computing a digest") { () throws(KeyError) in try running.digest() }
        }
    }
#endif
