// SPDX-License-Identifier: Apache-2.0

internal import COpenSSL

/// Files of PKCS#12 with any content, sealed under the password "p".
internal enum SealedPKCS12 {
    /// The file; nil when OpenSSL does not make it, which is no fault of the content's.
    static func file(of content: [UInt8]) -> [UInt8]? {
        let data = element(0xA0, element(0x04, content))
        let bare = element(0x30, [0x02, 0x01, 0x03] + element(0x30, dataIdentifier + data))
        var position: UnsafePointer<UInt8>?
        let parsed = bare.withUnsafeBufferPointer { buffer in
            position = buffer.baseAddress
            return d2i_PKCS12(nil, &position, buffer.count)
        }
        guard let parsed else { return nil }
        defer { PKCS12_free(parsed) }
        var salt: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
        guard PKCS12_set_mac(parsed, "p", 1, &salt, Int32(salt.count), 1, EVP_sha256()) == 1 else { return nil }
        let count = i2d_PKCS12(parsed, nil)
        guard count > 0 else { return nil }
        var file = [UInt8](repeating: 0, count: Int(count))
        let written = file.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            return i2d_PKCS12(parsed, &next)
        }
        return written == count ? file : nil
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        if count < 0x80 { return [tag, UInt8(count)] + content }
        return [tag, 0x84] + (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + content
    }

    /// 1.2.840.113549.1.7.1.
    private static let dataIdentifier: [UInt8] = [0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
}
