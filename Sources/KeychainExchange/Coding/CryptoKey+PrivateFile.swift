// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainKeys
internal import KeychainModel

/// Private keys out of files, handed over in locked memory.
extension CryptoKey {
    /// The key of a file.
    static func privateKey(_ file: PrivateKey) throws(ExchangeFailure) -> CryptoKey {
        // First, for it says what is wrong with the kind, the curve or the size.
        let publicHalf = try publicKey(info: file.publicKey.der)
        let bytes = try representation(of: file, publicHalf.type)
        let key: CryptoKey
        do throws(KeyError) {
            key = try unsafe bytes.withUnsafeBytes { (bytes) throws(KeyError) in
                try unsafe CryptoKey(publicHalf.type, .private, representation: bytes)
            }
        } catch { throw ExchangeFailure(imported: error) }
        guard key.publicRepresentation == publicHalf.publicRepresentation else { throw malformed }
        return key
    }

    private static func representation(
        of file: PrivateKey, _ type: KeyType
    ) throws(ExchangeFailure) -> SecretBytes {
        switch type {
        case .rsa: return try ExchangeFailure.translating { () throws(ExchangeError) in try file.ownForm() }
        case .ec:
            let form = try ExchangeFailure.translating { () throws(ExchangeError) in try file.ownForm() }
            let point = file.publicKey.externalBytes
            return try unsafe form.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
                guard let number = unsafe numberOfSEC1(bytes) else { throw malformed }
                return unsafe SecretBytes(point, UnsafeRawBufferPointer(rebasing: bytes[number]), [])
            }
        default:
            return try unsafe file.pkcs8.withUnsafeBytes { (bytes) throws(ExchangeFailure) in
                guard let key = unsafe bytesOfPKCS8(bytes) else { throw malformed }
                return unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes[key]))
            }
        }
    }

    private static func numberOfSEC1(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var reader = unsafe DERReader(unsafeBytes: bytes)
        guard var fields = reader.enter(DERTag.sequence), fields.next(DERTag.integer) != nil else { return nil }
        return fields.next(DERTag.octetString)?.content
    }

    private static func bytesOfPKCS8(_ bytes: UnsafeRawBufferPointer) -> Range<Int>? {
        var reader = unsafe DERReader(unsafeBytes: bytes)
        guard var fields = reader.enter(DERTag.sequence), fields.next(DERTag.integer) != nil,
            fields.next(DERTag.sequence) != nil, var key = fields.enter(DERTag.octetString)
        else { return nil }
        return key.next(DERTag.octetString)?.content
    }

    private static var malformed: ExchangeFailure { ExchangeFailure(.undecodable, "a private key is malformed") }
}
