// SPDX-License-Identifier: Apache-2.0

internal import KeychainExchange
internal import KeychainModel
public import LlaveroFoundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Writes keys, certificates and identities into a file.
///
/// With `formatUnknown` one key is written as `formatOpenSSL`, a symmetric one as `formatRawKey`, one certificate as
/// `formatX509Cert`, and several things, or an identity, as `formatPEMSequence`. In a PEM sequence private keys are
/// encrypted when there is a passphrase. `formatWrappedPKCS8` is AES-256 under PBKDF2 with HMAC-SHA256, `formatPKCS12`
/// the same and a MAC; neither is written without a passphrase, and a form that leaves a key open is not written with
/// one.
///
/// A key that is sensitive leaves only wrapped, else ``errSecKeyIsSensitive``; one that is not extractable, or that an
/// enclave keeps, does not leave: ``errSecDataNotAvailable``. What a format does not hold is ``errSecUnsupportedFormat``.
///
/// - Parameters:
///   - secItemOrArray: A ``SecKey``, ``SecCertificate`` or ``SecIdentity``, or an array of them; a thing that comes
///     twice is written once.
///   - outputFormat: The format.
///   - flags: With `pemArmour` the file is text.
///   - keyParams: The passphrase.
///   - exportedData: Set to the file, which is the caller's own; it is wiped when it goes.
@discardableResult
public func SecItemExport(
    _ secItemOrArray: CFTypeRef, _ outputFormat: SecExternalFormat, _ flags: SecItemImportExportFlags,
    _ keyParams: UnsafePointer<SecItemImportExportKeyParameters>?, _ exportedData: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    ExchangeCall.status("SecItemExport") { () throws(ExchangeFailure) in
        let parameters =
            try unsafe keyParams.map { (given) throws(ExchangeFailure) in
                try unsafe KeyParameters(given.pointee)
            } ?? KeyParameters()
        try parameters.checkExport()
        guard flags.isSubset(of: .pemArmour) else { throw .parameter("there is no such flag for an export") }
        let format = try FileFormat.written(outputFormat)
        let items = try ExportedItem.items(secItemOrArray)
        let writer = FileWriter(passphrase: parameters.passphrase)
        let file = try ExchangeCall.operation { () throws(ExchangeFailure) in
            try writer.write(items.map(\.outgoing), as: format, isText: flags.contains(.pemArmour))
        }
        unsafe exportedData.pointee = SecretData(file)
    }
}
