// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL
package import KeychainModel

/// The derivation of ANSI X9.63 (SEC 1 §3.6.1): digests of the secret, a counter and the shared information.
package enum X963 {
    /// Derives `count` bytes; throws `invalidParameter` outside the bounds.
    package static func derive(
        _ secret: borrowing SecretBytes, info: [UInt8], _ hash: HashFunction, count: Int
    ) throws(KeyError) -> SecretBytes {
        guard (1...largestOutput).contains(count), info.count <= largestInfo else { throw .invalidParameter }
        let kdf = try unsafe KeyLibrary.found(KeyLibrary.x963)
        return try unsafe secret.withUnsafeBytes { (secret) throws(KeyError) in
            try unsafe SecretBytes(count: count) { (output) throws(KeyError) in
                let result = unsafe llv_keys_x963(
                    kdf, hash.rawValue, secret.baseAddress, secret.count, info, info.count, output.baseAddress,
                    output.count)
                guard result == 1 else { throw .takeFromLibrary() }
            }
        }
    }

    // Far more than any key. The standard's own bounds are larger than memory.
    private static let largestOutput = 1 << 20
    private static let largestInfo = 1 << 20
}
