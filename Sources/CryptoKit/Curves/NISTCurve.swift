// SPDX-License-Identifier: Apache-2.0

#if !SwiftCrypto
    internal import KeychainCrypto
    internal import KeychainExchange
    internal import KeychainKeys
    internal import KeychainModel
    internal import KeychainSystem
    internal import LlaveroFoundation

    // Keys of three curves, for two uses each, are twelve types that do the same. What they do stands here and in
    // NISTKeys.swift; P256.swift, P384.swift and P521.swift only name them. They cannot be one generic type: programs
    // extend each of them by protocols of their own.

    /// One of NIST's curves, by which keys of different curves are of different types.
    public protocol NISTCurve: Sendable {
        /// What messages are digested with before they are signed.
        associatedtype MessageHash: HashFunction
        /// The bits of its field.
        static var fieldBits: Int { get }
    }

    extension NISTCurve {
        /// The bytes of a coordinate, of a scalar, of each half of a signature.
        static var size: Int { (fieldBits + 7) / 8 }
    }

    /// A public key of a curve; only this module can make one of nothing but a key's bytes.
    public struct NISTPublicPoint<Curve: NISTCurve>: Sendable {
        let key: CryptoKey

        /// Throws unless the key is on the curve.
        init(_ key: CryptoKey) throws(CryptoKitError) {
            guard key.type == .ec, key.bits == Curve.fieldBits else { throw .invalidParameter }
            self.key = key
        }

        init(x963 bytes: [UInt8]) throws(CryptoKitError) {
            guard bytes.count == 1 + 2 * Curve.size else { throw .incorrectParameterSize }
            try self.init(performing { () throws(KeyError) in try CryptoKey(.ec, .public, representation: bytes) })
        }

        init(compressed bytes: [UInt8]) throws(CryptoKitError) {
            guard bytes.count == 1 + Curve.size else { throw .incorrectParameterSize }
            try self.init(
                performing { () throws(KeyError) in
                    try CryptoKey(compressedPoint: bytes, bits: Curve.fieldBits)
                })
        }

        /// Of the two points with this x, the one whose y is the smaller.
        init(compact x: [UInt8]) throws(CryptoKitError) {
            guard x.count == Curve.size else { throw .incorrectParameterSize }
            let first = try Self(compressed: [2] + x)
            self = try first.isCompact ? first : Self(compressed: [3] + x)
        }

        init(der bytes: [UInt8]) throws {
            let key: CryptoKey
            do throws(ExchangeFailure) {
                key = try ForkGate.operation { () throws(ExchangeFailure) in try CryptoKey.publicKey(info: bytes) }
            } catch { throw CryptoKitASN1Error.invalidASN1Object }
            try self.init(key)
        }

        init(pem text: String) throws {
            try self.init(der: PEMText.content(of: text, ["PUBLIC KEY"]).publicBytes)
        }

        /// 04, x, y.
        var x963: [UInt8] { key.publicRepresentation ?? [] }
        /// x, y.
        var raw: [UInt8] { Array(x963.dropFirst()) }
        var x: ArraySlice<UInt8> { x963.dropFirst().prefix(Curve.size) }
        var compressed: [UInt8] { [2 + (x963.last ?? 0) & 1] + x }
        var der: [UInt8] { key.subjectPublicKeyInfo ?? [] }

        /// Whether x says which point it is: y is the smaller of the two (y, and the prime less y).
        var isCompact: Bool { KeychainKeys.Curve(bits: Curve.fieldBits)?.isCompact(x963) ?? false }
    }

    /// A private key of a curve; only this module can make one of nothing but a key's bytes.
    public struct NISTPrivateScalar<Curve: NISTCurve>: Sendable {
        let key: CryptoKey

        init(_ key: CryptoKey) throws(CryptoKitError) {
            guard key.type == .ec, key.bits == Curve.fieldBits else { throw .invalidParameter }
            self.key = key
        }

        /// A new key, whose public half x alone says when that is wanted.
        init(isCompact: Bool) {
            self = performingAlways("making a key") { () throws(KeyError) in
                while true {
                    let key = try CryptoKey.generate(.ec, bits: Curve.fieldBits)
                    // One key of two is.
                    if !isCompact { return Self(unchecked: key) }
                    if try NISTPublicPoint<Curve>(ofPrivate: key).isCompact { return Self(unchecked: key) }
                }
            }
        }

        private init(unchecked key: CryptoKey) { self.key = key }

        /// The scalar alone.
        init(raw bytes: UnsafeRawBufferPointer) throws(CryptoKitError) {
            guard bytes.count == Curve.size else { throw .incorrectParameterSize }
            try self.init(
                performing { () throws(KeyError) in
                    try unsafe CryptoKey(scalar: bytes, bits: Curve.fieldBits)
                })
        }

        /// 04, x, y, and the scalar.
        init(x963 bytes: UnsafeRawBufferPointer) throws(CryptoKitError) {
            guard bytes.count == 1 + 3 * Curve.size else { throw .incorrectParameterSize }
            try self.init(
                performing { () throws(KeyError) in try unsafe CryptoKey(.ec, .private, representation: bytes) })
        }

        /// PKCS#8 or SEC 1.
        init(der bytes: UnsafeRawBufferPointer) throws {
            let key: CryptoKey
            do {
                key = try ForkGate.operation { try CryptoKey.privateKey(unsafe PrivateKey(der: bytes)) }
            } catch { throw CryptoKitASN1Error.invalidASN1Object }
            try self.init(key)
        }

        init(pem text: String) throws {
            let content = try PEMText.content(of: text, ["PRIVATE KEY", "EC PRIVATE KEY"])
            self = try unsafe content.withUnsafeBytes { bytes in try unsafe Self(der: bytes) }
        }

        var point: NISTPublicPoint<Curve> {
            performingAlways("reading a key") { () throws(KeyError) in try NISTPublicPoint(ofPrivate: key) }
        }

        /// 04, x, y, and the scalar.
        var x963: Data {
            performingAlways("writing a key") { () throws(KeyError) in Data(giving: try key.representation()) }
        }

        /// The scalar alone.
        var raw: Data {
            performingAlways("writing a key") { () throws(KeyError) in
                let both = try key.representation()
                return unsafe both.withUnsafeBytes { bytes in unsafe Data(bytes.suffix(Curve.size)) }
            }
        }

        /// PKCS#8.
        var der: Data {
            let file: PrivateKey
            do throws(ExchangeFailure) {
                file = try ForkGate.operation { () throws(ExchangeFailure) in try PrivateKey.file(of: key) }
            } catch { preconditionFailure("writing a key failed: \(error)") }
            return unsafe file.pkcs8.withUnsafeBytes { bytes in unsafe Data(bytes) }
        }
    }

    extension NISTPublicPoint {
        fileprivate init(ofPrivate key: CryptoKey) throws(KeyError) { self.key = try key.publicKey() }
    }

    /// PEM, without the end of the line behind it.
    enum PEMText {
        static func text(_ label: StaticString, _ content: Data) -> String {
            unsafe content.withUnsafeBytes { bytes in
                let text = unsafe PEM.text(label, of: bytes)
                return unsafe text.withUnsafeBytes { text in unsafe String(decoding: text.dropLast(), as: UTF8.self) }
            }
        }

        /// What is in the first block with one of the labels.
        static func content(of text: String, _ labels: Set<String>) throws -> SecretValue {
            let blocks: [PEMBlock]
            do throws(ExchangeError) {
                blocks = try unsafe Array(text.utf8).lendingBytes { (bytes) throws(ExchangeError) in
                    try unsafe PEM.blocks(in: bytes)
                }
            } catch { throw CryptoKitASN1Error.invalidPEMDocument }
            guard let block = blocks.first(where: { labels.contains($0.label) }) else {
                throw CryptoKitASN1Error.invalidPEMDocument
            }
            return SecretValue(copying: block.content)
        }
    }
#endif
