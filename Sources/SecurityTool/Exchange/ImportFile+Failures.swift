// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainStatus

extension ImportFile {
    static func failure(_ status: SecurityStatus, _ why: String?) -> SecurityFailure {
        .status(status, call: "SecKeychainItemImport", why: why)
    }

    static func failure(of error: ExchangeError) -> SecurityFailure {
        switch error {
        case .undecodable: failure(.undecodable, "the file is malformed, or has something of an unknown kind")
        case .passwordRequired: failure(.passphraseRequired, nil)
        case .wrongPassword:
            failure(.authenticationFailed, "the passphrase is not that of the file, or the file was changed")
        case .unsupportedAlgorithm:
            failure(.unsupportedFormat, "it uses an algorithm that this system's OpenSSL does not have")
        case .tooCostly: failure(.undecodable, "its passphrase is hashed more often than anybody could want")
        case .unprotected: failure(.unverifiedPKCS12, "nothing protects the file from change")
        case .keyMismatch: failure(.undecodable, "a certificate is not that of its key")
        case .outOfMemory: failure(.outOfMemory, nil)
        case .library(let number): failure(.internalError, "OpenSSL refused (\(number))")
        }
    }

    static func translating<Result: ~Copyable>(
        _ body: () throws(ExchangeError) -> Result
    ) throws(SecurityFailure) -> Result {
        do throws(ExchangeError) { return try body() } catch { throw failure(of: error) }
    }

    static func isText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let mark = Array("-----BEGIN ".utf8)
        var isAtStart = true
        for index in bytes.indices {
            if isAtStart, unsafe bytes[index] == mark[0], unsafe bytes[index...].starts(with: mark) { return true }
            isAtStart = unsafe bytes[index] == 0x0A || bytes[index] == 0x0D
        }
        return false
    }

    /// It begins with the number 3; many programs write it with lengths that DER does not have.
    static func isPKCS12(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count > 8, unsafe bytes[0] == 0x30 else { return false }
        let octets = unsafe bytes[1] >= 0x80 ? Int(bytes[1] & 0x7F) : 0
        return unsafe octets <= 4 && bytes.dropFirst(2 + octets).starts(with: [2, 1, 3, 0x30])
    }
}
