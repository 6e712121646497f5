// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainCrypto
package import KeychainModel
internal import KeychainSystem

/// Keys from their external bytes.
///
/// RSA as PKCS#1 has it; EC as 04, x, y and for a private key k behind them; the Edwards and Montgomery keys as
/// RFC 8032 and RFC 7748 have them, 32, 56 or 57 bytes for either half; ML-KEM and ML-DSA as FIPS 203 and 204 encode the
/// public key, and for a private key that and the expanded one behind it; AES as it is.
extension CryptoKey {
    /// Reads a key; takes one spelling of each only.
    ///
    /// Throws `malformed`, `mismatchedHalves`, `unsupportedKey` or `notOffered`. The caller wipes its own copy.
    package convenience init(
        _ type: KeyType, _ part: KeyPart, representation bytes: UnsafeRawBufferPointer
    ) throws(KeyError) {
        switch (type, part) {
        case (.rsa, .public), (.rsa, .private): try unsafe self.init(rsa: part, bytes)
        case (.ec, .public): try unsafe self.init(point: bytes)
        case (.ec, .private): try unsafe self.init(pointAndScalar: bytes)
        case (.ed25519, .public), (.x25519, .public), (.ed448, .public), (.x448, .public),
            (.ed25519, .private), (.x25519, .private), (.ed448, .private), (.x448, .private):
            try unsafe self.init(raw: type, part, bytes)
        case (.mlkem, .public), (.mldsa, .public), (.mlkem, .private), (.mldsa, .private):
            try unsafe self.init(lattice: type, part, bytes)
        case (.aes, .symmetric):
            guard type.allows(bits: bytes.count * 8) else { throw .malformed }
            let secret = unsafe SecretValue(copying: bytes)
            self.init(.aes, part, bits: bytes.count * 8, publicRepresentation: nil, material: .symmetric(secret))
        case (_, .symmetric), (.aes, .public), (.aes, .private): throw .unsupportedKey
        }
    }

    /// The same of bytes that are no secret.
    package convenience init(_ type: KeyType, _ part: KeyPart, representation: [UInt8]) throws(KeyError) {
        // A delegating initialiser cannot be called in a closure.
        let made = try unsafe representation.lendingBytes { (bytes) throws(KeyError) in
            try unsafe CryptoKey(type, part, representation: bytes)
        }
        self.init(copying: made)
    }

    /// The private EC key of a scalar alone, of the curve's size; throws `malformed`.
    package convenience init(scalar bytes: UnsafeRawBufferPointer, bits: Int) throws(KeyError) {
        guard let curve = Curve(bits: bits), bytes.count == curve.size else { throw .malformed }
        let both = try unsafe SecretBytes(count: curve.pointSize + curve.size) { (output) throws(KeyError) in
            let point = unsafe llv_keys_ec_point_of_scalar(
                KeyLibrary.context, Int32(bits), bytes.baseAddress, bytes.count, output.baseAddress, curve.pointSize)
            guard point == 1 else { throw .takeFromLibrary(as: .malformed) }
            unsafe UnsafeMutableRawBufferPointer(rebasing: output[curve.pointSize...]).copyMemory(from: bytes)
        }
        let key = try unsafe both.withUnsafeBytes { (bytes) throws(KeyError) in
            try unsafe CryptoKey(.ec, .private, representation: bytes)
        }
        self.init(copying: key)
    }

    /// The public EC key of a point that comes as 02 or 03, x; throws `malformed`.
    package convenience init(compressedPoint bytes: [UInt8], bits: Int) throws(KeyError) {
        guard let curve = Curve(bits: bits), bytes.count == 1 + curve.size, bytes[0] == 2 || bytes[0] == 3 else {
            throw .malformed
        }
        var point = [UInt8](repeating: 0, count: curve.pointSize)
        let result = unsafe llv_keys_ec_uncompressed(
            KeyLibrary.context, Int32(bits), bytes, bytes.count, &point, point.count)
        guard result == 1 else { throw .takeFromLibrary(as: .malformed) }
        try self.init(.ec, .public, representation: point)
    }

    /// The key in an item, which is read in full when it is first used.
    ///
    /// Throws `malformed` or `unsupportedKey` when the bytes cannot be such a key's.
    package convenience init(
        _ type: KeyType, _ part: KeyPart, ofItem representation: SecretValue
    ) throws(KeyError) {
        if type == .aes {
            let key = try unsafe representation.withUnsafeBytes { (bytes) throws(KeyError) in
                try unsafe CryptoKey(type, part, representation: bytes)
            }
            self.init(copying: key)
            return
        }
        let outline = try unsafe representation.withUnsafeBytes { (bytes) throws(KeyError) in
            try unsafe KeyOutline(type, part, bytes)
        }
        self.init(
            type, part, bits: outline.bits, publicRepresentation: outline.publicRepresentation,
            material: .deferred(DeferredKey(type, part, representation)))
    }

    internal convenience init(copying other: CryptoKey) {
        self.init(
            other.type, other.part, bits: other.bits, publicRepresentation: other.publicRepresentation,
            material: other.material)
    }

    private convenience init(rsa part: KeyPart, _ bytes: UnsafeRawBufferPointer) throws(KeyError) {
        let numbers = try unsafe RSANumbers(parsing: bytes, part)
        let bits = try unsafe numbers.modulusBits(in: bytes)
        if part == .private {
            switch unsafe llv_keys_rsa_numbers_match(bytes.baseAddress, numbers.offsets, numbers.counts) {
            case 1: break
            case 0: throw .takeFromLibrary(as: .mismatchedHalves)
            default: throw .takeFromLibrary(as: .outOfMemory)
            }
        }
        let handle = try unsafe LibraryHandle(
            llv_keys_rsa(
                KeyLibrary.context, bytes.baseAddress, numbers.offsets, numbers.counts, numbers.counts.count),
            orThrow: .malformed)
        let publicBytes = unsafe part == .public ? Array(bytes) : numbers.publicRepresentation(of: bytes)
        self.init(.rsa, part, bits: bits, publicRepresentation: publicBytes, material: .library(handle))
    }

    private convenience init(point bytes: UnsafeRawBufferPointer) throws(KeyError) {
        // Only this form: OpenSSL would read the point at infinity, and the compressed and hybrid ones.
        guard let curve = Curve(pointSize: bytes.count), unsafe bytes[0] == 4 else { throw .malformed }
        let handle = try unsafe LibraryHandle(
            llv_keys_ec(KeyLibrary.context, Int32(curve.rawValue), bytes.baseAddress, bytes.count, nil, 0),
            orThrow: .malformed)
        self.init(
            .ec, .public, bits: curve.rawValue, publicRepresentation: unsafe Array(bytes), material: .library(handle))
    }

    private convenience init(pointAndScalar bytes: UnsafeRawBufferPointer) throws(KeyError) {
        guard let curve = Curve.allCases.first(where: { $0.pointSize + $0.size == bytes.count }),
            let start = bytes.baseAddress, unsafe bytes[0] == 4
        else { throw .malformed }
        let handle = try unsafe LibraryHandle(
            llv_keys_ec(
                KeyLibrary.context, Int32(curve.rawValue), start, curve.pointSize, start + curve.pointSize, curve.size),
            orThrow: .malformed)
        let isPair = try unsafe handle.withUnsafePointer { (key) throws(KeyError) in
            unsafe llv_keys_ec_halves_match(KeyLibrary.context, key) == 1
        }
        guard isPair else { throw .takeFromLibrary(as: .mismatchedHalves) }
        self.init(
            .ec, .private, bits: curve.rawValue, publicRepresentation: unsafe Array(bytes.prefix(curve.pointSize)),
            material: .library(handle))
    }

    private convenience init(raw type: KeyType, _ part: KeyPart, _ bytes: UnsafeRawBufferPointer) throws(KeyError) {
        guard let size = type.rawSize, let bits = type.onlyBits, bytes.count == size else { throw .malformed }
        let kind = Int32(type.rawValue)
        let handle = try unsafe LibraryHandle(
            part == .private
                ? llv_keys_raw_private(KeyLibrary.context, kind, bytes.baseAddress, size)
                : llv_keys_raw_public(KeyLibrary.context, kind, bytes.baseAddress, size), orThrow: .malformed)
        let publicBytes = unsafe part == .public ? Array(bytes) : try handle.rawPublicKey(size: size)
        self.init(type, part, bits: bits, publicRepresentation: publicBytes, material: .library(handle))
    }
}

/// A key out of an item, which OpenSSL reads when it is first used: many are found only to be looked at, and to check that
/// the numbers of an RSA key belong together takes as long as a hundred finds.
internal final class DeferredKey: Sendable {
    private enum State: Sendable {
        case unread(SecretValue)
        case read(LibraryHandle)
    }

    private let type: KeyType
    private let part: KeyPart
    private let state: ForkSafeMutex<State>

    internal init(_ type: KeyType, _ part: KeyPart, _ representation: SecretValue) {
        self.type = type
        self.part = part
        state = ForkSafeMutex(.unread(representation))
    }

    /// OpenSSL's key; throws what reading it throws, every time.
    internal func handle() throws(KeyError) -> LibraryHandle {
        try state.withLock { (state) throws(KeyError) in
            switch state {
            case .read(let handle): return handle
            case .unread(let representation):
                let handle = try unsafe representation.withUnsafeBytes { (bytes) throws(KeyError) in
                    try unsafe CryptoKey(type, part, representation: bytes).handle()
                }
                state = .read(handle)
                return handle
            }
        }
    }
}

/// What is known of a key without using it: its kind, its size, its public half.
package struct KeyOutline: Sendable, Equatable {
    package let type: KeyType
    package let part: KeyPart
    package let bits: Int
    /// nil of a symmetric key.
    package let publicRepresentation: [UInt8]?

    /// The outline of a private key, out of its public half's external bytes; throws `malformed`.
    package init(privateKeyOf publicRepresentation: [UInt8], _ type: KeyType) throws(KeyError) {
        let outline = try unsafe publicRepresentation.lendingBytes { (bytes) throws(KeyError) in
            try unsafe KeyOutline(type, .public, bytes)
        }
        self.init(type, .private, outline.bits, publicRepresentation)
    }

    /// The outline of a symmetric key of so many bits; throws `unsupportedKey`.
    package init(symmetric type: KeyType, bits: Int) throws(KeyError) {
        guard type == .aes, type.allows(bits: bits) else { throw .unsupportedKey }
        self.init(type, .symmetric, bits, nil)
    }

    /// Looks at external bytes as closely as it takes to see these, which is not as closely as using them does.
    ///
    /// Throws `malformed` or `unsupportedKey`.
    package init(_ type: KeyType, _ part: KeyPart, _ bytes: UnsafeRawBufferPointer) throws(KeyError) {
        switch (type, part) {
        case (.rsa, .public), (.rsa, .private):
            let numbers = try unsafe RSANumbers(parsing: bytes, part)
            let publicBytes = unsafe part == .public ? Array(bytes) : numbers.publicRepresentation(of: bytes)
            self.init(type, part, try unsafe numbers.modulusBits(in: bytes), publicBytes)
        case (.ec, .public):
            guard let curve = Curve(pointSize: bytes.count), unsafe bytes[0] == 4 else { throw .malformed }
            self.init(type, part, curve.rawValue, unsafe Array(bytes))
        case (.ec, .private):
            guard let curve = Curve.allCases.first(where: { $0.pointSize + $0.size == bytes.count }),
                unsafe bytes[0] == 4
            else { throw .malformed }
            self.init(type, part, curve.rawValue, unsafe Array(bytes.prefix(curve.pointSize)))
        case (.aes, .symmetric): try self.init(symmetric: type, bits: bytes.count * 8)
        case (.mlkem, .public), (.mldsa, .public), (.mlkem, .private), (.mldsa, .private):
            try unsafe self.init(lattice: type, part, bytes)
        // What is public of these has to be computed.
        case (.ed25519, _), (.x25519, _), (.ed448, _), (.x448, _), (_, .symmetric), (.aes, _):
            let key = try unsafe CryptoKey(type, part, representation: bytes)
            self.init(type, part, key.bits, key.publicRepresentation)
        }
    }

    internal init(_ type: KeyType, _ part: KeyPart, _ bits: Int, _ publicRepresentation: [UInt8]?) {
        self.type = type
        self.part = part
        self.bits = bits
        self.publicRepresentation = publicRepresentation
    }
}
