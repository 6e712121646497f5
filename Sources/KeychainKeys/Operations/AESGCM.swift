// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
internal import KeychainModel

/// AES-GCM under keys of 16, 24 or 32 bytes, with the 16-byte tag at the end.
///
/// Whoever seals sees to it that no pair of key and vector is used twice.
internal enum AESGCM {
    /// What is not secret about a seal.
    internal struct Context {
        internal let vector: [UInt8]
        internal var additional: [UInt8] = []
    }

    /// Seals `plain` into `output`, 16 bytes more.
    internal static func seal(
        _ plain: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ context: Context,
        into output: UnsafeMutableRawBufferPointer
    ) throws(KeyError) {
        guard plain.count <= largestPlain, output.count == plain.count + tagSize else { throw .invalidLength }
        let result = try unsafe llv_keys_gcm_seal(
            cipher(for: key), key.baseAddress, context.vector, context.vector.count, context.additional,
            context.additional.count, plain.baseAddress, plain.count, output.baseAddress)
        guard result == 1 else { throw .takeFromLibrary() }
    }

    /// Opens what `seal` made; throws `invalidLength` when it is too short, `refused` when the tag is wrong.
    internal static func open(
        _ sealed: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer, _ context: Context
    ) throws(KeyError) -> SecretBytes {
        let count = sealed.count - tagSize
        guard count >= 0, count <= largestPlain else { throw .invalidLength }
        let cipher = try unsafe cipher(for: key)
        // What is written before the tag was checked is wiped when this throws.
        return try unsafe SecretBytes(count: count) { (output) throws(KeyError) in
            let result = unsafe llv_keys_gcm_open(
                cipher, key.baseAddress, context.vector, context.vector.count, context.additional,
                context.additional.count, sealed.baseAddress, count, output.baseAddress)
            guard result != 0 else { throw .takeFromLibrary(as: .refused) }
            guard result == 1 else { throw .takeFromLibrary() }
        }
    }

    private static func cipher(for key: UnsafeRawBufferPointer) throws(KeyError) -> OpaquePointer {
        switch key.count {
        case 16: try unsafe KeyLibrary.found(KeyLibrary.aes128GCM)
        case 24: try unsafe KeyLibrary.found(KeyLibrary.aes192GCM)
        case 32: try unsafe KeyLibrary.found(KeyLibrary.aes256GCM)
        default: throw .invalidLength
        }
    }

    internal static let tagSize = 16
    // OpenSSL counts in Int32.
    internal static let largestPlain = Int(Int32.max) - 64
}
