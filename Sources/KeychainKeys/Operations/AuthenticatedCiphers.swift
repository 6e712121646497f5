// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// AES-GCM under keys of 16, 24 or 32 bytes, with the 16-byte tag at the end.
///
/// The caller must never use a pair of key and vector twice.
package enum AESGCM {
    /// What is not secret about a seal.
    package struct Context {
        package let vector: [UInt8]
        package let additional: [UInt8]

        package init(vector: [UInt8], additional: [UInt8] = []) {
            self.vector = vector
            self.additional = additional
        }
    }

    /// Seals `plain` into `output`, 16 bytes more.
    package static func seal(
        _ plain: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ context: Context,
        into output: UnsafeMutableRawBufferPointer
    ) throws(KeyError) {
        try unsafe AEAD.seal(plain, cipher(for: key), key: key, context, into: output)
    }

    /// Opens what `seal` made; throws `invalidLength` when it is too short, `refused` when the tag is wrong.
    package static func open(
        _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ context: Context
    ) throws(KeyError) -> SecretBytes {
        try unsafe AEAD.open(sealed, cipher(for: key), key: key, context)
    }

    private static func cipher(for key: UnsafeRawBufferPointer) throws(KeyError) -> OpaquePointer {
        switch key.count {
        case 16: try unsafe KeyLibrary.found(KeyLibrary.aes128GCM)
        case 24: try unsafe KeyLibrary.found(KeyLibrary.aes192GCM)
        case 32: try unsafe KeyLibrary.found(KeyLibrary.aes256GCM)
        default: throw .invalidLength
        }
    }

    package static let tagSize = 16
    // OpenSSL counts in Int32.
    internal static let largestPlain = Int(Int32.max) - 64
}

/// ChaCha20-Poly1305 (RFC 8439), with the 16-byte tag at the end.
///
/// The caller must never use a pair of key and vector twice.
package enum ChaCha20Poly1305 {
    /// Seals `plain` into `output`, 16 bytes more; the key has 32 bytes, the vector 12.
    package static func seal(
        _ plain: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ context: AESGCM.Context,
        into output: UnsafeMutableRawBufferPointer
    ) throws(KeyError) {
        try unsafe check(key, context)
        let cipher = try unsafe KeyLibrary.found(KeyLibrary.chaCha20Poly1305)
        try unsafe AEAD.seal(plain, cipher, key: key, context, into: output)
    }

    /// Opens what `seal` made; throws `invalidLength` when it is too short, `refused` when the tag is wrong.
    package static func open(
        _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ context: AESGCM.Context
    ) throws(KeyError) -> SecretBytes {
        try unsafe check(key, context)
        let cipher = try unsafe KeyLibrary.found(KeyLibrary.chaCha20Poly1305)
        return try unsafe AEAD.open(sealed, cipher, key: key, context)
    }

    // OpenSSL reads 32 bytes of key, however many there are.
    private static func check(_ key: UnsafeRawBufferPointer, _ context: AESGCM.Context) throws(KeyError) {
        guard key.count == keySize, context.vector.count == vectorSize else { throw .invalidLength }
    }

    package static let keySize = 32
    package static let vectorSize = 12
}

private enum AEAD {
    static func seal(
        _ plain: UnsafeRawBufferPointer, _ cipher: OpaquePointer, key: UnsafeRawBufferPointer,
        _ context: AESGCM.Context, into output: UnsafeMutableRawBufferPointer
    ) throws(KeyError) {
        guard plain.count <= AESGCM.largestPlain, output.count == plain.count + AESGCM.tagSize,
            context.additional.count <= AESGCM.largestPlain, !context.vector.isEmpty
        else { throw .invalidLength }
        let result = unsafe llv_keys_gcm_seal(
            cipher, key.baseAddress, context.vector, context.vector.count, context.additional,
            context.additional.count, plain.baseAddress, plain.count, output.baseAddress)
        guard result == 1 else { throw .takeFromLibrary() }
    }

    static func open(
        _ sealed: UnsafeRawBufferPointer, _ cipher: OpaquePointer, key: UnsafeRawBufferPointer,
        _ context: AESGCM.Context
    ) throws(KeyError) -> SecretBytes {
        let count = sealed.count - AESGCM.tagSize
        guard count >= 0, count <= AESGCM.largestPlain, context.additional.count <= AESGCM.largestPlain,
            !context.vector.isEmpty
        else { throw .invalidLength }
        // What is written before the tag was checked is wiped when this throws.
        return try unsafe SecretBytes(count: count) { (output) throws(KeyError) in
            let result = unsafe llv_keys_gcm_open(
                cipher, key.baseAddress, context.vector, context.vector.count, context.additional,
                context.additional.count, sealed.baseAddress, count, output.baseAddress)
            guard result != 0 else { throw .takeFromLibrary(as: .refused) }
            guard result == 1 else { throw .takeFromLibrary() }
        }
    }
}

/// A key wrapped under another one, as RFC 3394 has it: 8 bytes more, and refused when anything was changed.
package enum AESKeyWrap {
    /// Wraps a key of 16, 24, 32 or more bytes, a multiple of 8; the wrapping key has 16, 24 or 32.
    package static func wrap(
        _ key: UnsafeRawBufferPointer, under wrapping: UnsafeRawBufferPointer
    ) throws(KeyError) -> [UInt8] {
        guard key.count >= 16, key.count % 8 == 0, key.count <= largest else { throw .invalidLength }
        let cipher = try unsafe cipher(for: wrapping)
        var output = [UInt8](repeating: 0, count: key.count + 8)
        let result = unsafe llv_keys_wrap(
            cipher, 1, wrapping.baseAddress, key.baseAddress, key.count, &output, output.count)
        guard result == 1 else { throw .takeFromLibrary() }
        return output
    }

    /// Throws `refused` when it was wrapped under another key, or changed.
    package static func unwrap(
        _ wrapped: UnsafeRawBufferPointer, under wrapping: UnsafeRawBufferPointer
    ) throws(KeyError) -> SecretValue {
        guard wrapped.count >= 24, wrapped.count % 8 == 0, wrapped.count <= largest + 8 else { throw .invalidLength }
        let cipher = try unsafe cipher(for: wrapping)
        return try unsafe SecretValue(count: wrapped.count - 8) { (output) throws(KeyError) in
            let result = unsafe llv_keys_wrap(
                cipher, 0, wrapping.baseAddress, wrapped.baseAddress, wrapped.count, output.baseAddress, output.count)
            guard result != 0 else { throw .takeFromLibrary(as: .refused) }
            guard result == 1 else { throw .takeFromLibrary() }
        }
    }

    private static func cipher(for key: UnsafeRawBufferPointer) throws(KeyError) -> OpaquePointer {
        switch key.count {
        case 16: try unsafe KeyLibrary.found(KeyLibrary.aes128Wrap)
        case 24: try unsafe KeyLibrary.found(KeyLibrary.aes192Wrap)
        case 32: try unsafe KeyLibrary.found(KeyLibrary.aes256Wrap)
        default: throw .invalidLength
        }
    }

    private static let largest = 1 << 20
}
