// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// The digests that algorithms are made of.
package enum HashFunction: String, Sendable, CaseIterable {
    // The raw value is OpenSSL's name.
    case md5 = "MD5"
    case sha1 = "SHA1"
    case sha224 = "SHA224"
    case sha256 = "SHA256"
    case sha384 = "SHA384"
    case sha512 = "SHA512"

    /// The bytes of a digest.
    package var size: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    /// The digest of bytes that are all there.
    internal func digest(of bytes: UnsafeRawBufferPointer) throws(KeyError) -> [UInt8] {
        let algorithm = try unsafe algorithm
        var result = [UInt8](repeating: 0, count: size)
        var written: UInt32 = 0
        guard unsafe EVP_Digest(bytes.baseAddress, bytes.count, &result, &written, algorithm, nil) == 1,
            Int(written) == size
        else { throw .takeFromLibrary() }
        return result
    }

    internal var algorithm: OpaquePointer {
        get throws(KeyError) {
            let found =
                switch self {
                case .md5: unsafe KeyLibrary.md5
                case .sha1: unsafe KeyLibrary.sha1
                case .sha224: unsafe KeyLibrary.sha224
                case .sha256: unsafe KeyLibrary.sha256
                case .sha384: unsafe KeyLibrary.sha384
                case .sha512: unsafe KeyLibrary.sha512
                }
            return try unsafe KeyLibrary.found(found)
        }
    }
}
