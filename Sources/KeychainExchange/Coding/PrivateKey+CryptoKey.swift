// SPDX-License-Identifier: Apache-2.0

package import KeychainCertificates
package import KeychainKeys
internal import KeychainModel

/// Private keys on their way into files, handed over in locked memory.
extension PrivateKey {
    /// The file's form of a private key that may leave.
    package static func file(of key: CryptoKey) throws(ExchangeFailure) -> PrivateKey {
        let bytes: SecretBytes
        do throws(KeyError) { bytes = try key.representation() } catch {
            guard error == .notExportable else { throw ExchangeFailure(KeychainError(error)) }
            throw ExchangeFailure(.unextractableKey, "the private half does not leave the place where it is kept")
        }
        let form = try unsafe bytes.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
            try unsafe self.form(of: key, bytes)
        }
        return try ExchangeFailure.translating { () throws(ExchangeError) in
            try unsafe form.withUnsafeBytes { (bytes) throws(ExchangeError) in try unsafe PrivateKey(der: bytes) }
        }
    }

    /// PKCS#1, SEC 1 or PKCS#8 of the external bytes of a key: whichever is theirs with the least around it.
    private static func form(
        of key: CryptoKey, _ bytes: UnsafeRawBufferPointer
    ) throws(ExchangeFailure) -> SecretBytes {
        guard let algorithm = KeyAlgorithmIdentifier(of: key), let point = key.publicRepresentation else {
            throw ExchangeFailure(.unsupportedFormat, "a symmetric key is exported as raw bytes alone")
        }
        switch key.type {
        case .rsa: return unsafe SecretBytes(copying: bytes)
        case .ec:
            guard let curve = algorithm.curve, bytes.count > point.count else { throw internalFailure }
            let number = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(point.count))
            let behind =
                DERWriter.element(DERTag.context(0), curve)
                + DERWriter.element(DERTag.context(1), DERWriter.bitString(point))
            let fields = one + DERWriter.head(DERTag.octetString, number.count)
            let head = DERWriter.head(DERTag.sequence, fields.count + number.count + behind.count)
            return unsafe SecretBytes(head + fields, number, behind)
        default:
            let inner = DERWriter.head(DERTag.octetString, bytes.count)
            let outer = DERWriter.head(DERTag.octetString, inner.count + bytes.count)
            let fields = zero + algorithm.der + outer + inner
            return unsafe SecretBytes(DERWriter.head(DERTag.sequence, fields.count + bytes.count) + fields, bytes, [])
        }
    }

    private static var internalFailure: ExchangeFailure {
        ExchangeFailure(KeychainError(.internalError, "a key has bytes that do not fit its kind"))
    }

    // The versions of PKCS#8 and SEC 1.
    private static let zero: [UInt8] = [DERTag.integer, 1, 0]
    private static let one: [UInt8] = [DERTag.integer, 1, 1]
}
