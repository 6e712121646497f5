// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// An authority of OpenSSL's, which certifies people whose keys are in a keychain or in files.
struct MessageAuthority {
    let command: OpenSSLCommand
    let root: SecCertificate

    init() throws {
        command = try OpenSSLCommand()
        try command("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "ca.key")
        try command(
            "req", "-x509", "-new", "-key", "ca.key", "-subj", "/CN=Mail Authority", "-days", "30", "-out", "ca.pem",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")
        root = try Self.certificate(try command("x509", "-in", "ca.pem", "-outform", "DER"))
    }

    static func certificate(_ der: Data) throws -> SecCertificate {
        try #require(SecCertificateCreateWithData(nil, der as CFData))
    }

    /// The certificate of a public key in PEM, in `name.pem` too.
    func certify(
        _ name: String, serial: Int, publicKey: Data, purpose: String = "emailProtection"
    ) throws -> SecCertificate {
        try command.write(publicKey, "\(name).pub")
        let extensions = """
            basicConstraints=CA:false
            extendedKeyUsage=critical,\(purpose)
            subjectAltName=email:\(name)@example.org
            subjectKeyIdentifier=hash

            """
        try command.write(Data(extensions.utf8), "\(name).ext")
        try command(
            "x509", "-new", "-force_pubkey", "\(name).pub", "-CA", "ca.pem", "-CAkey", "ca.key", "-subj", "/CN=\(name)",
            "-set_serial", "\(serial)", "-days", "30", "-extfile", "\(name).ext", "-out", "\(name).pem")
        return try Self.certificate(try command("x509", "-in", "\(name).pem", "-outform", "DER"))
    }

    /// Somebody with key and certificate in files, `name.key` and `name.pem`.
    func person(_ name: String, _ kind: KeyKind, serial: Int, purpose: String = "emailProtection") throws
        -> SecCertificate
    {
        try command.run(["genpkey", "-out", "\(name).key"] + kind.making)
        let publicKey = try command("pkey", "-in", "\(name).key", "-pubout")
        return try certify(name, serial: serial, publicKey: publicKey, purpose: purpose)
    }

    /// Somebody whose key was made in the keychain in use, and does not leave it.
    func identity(
        _ name: String, _ kind: KeyKind, serial: Int, _ more: [CFString: Any] = Self.kept
    ) throws -> SecIdentity {
        let parameters: [CFString: Any] = [kSecAttrKeyType: kind.type, kSecAttrKeySizeInBits: kind.bits]
        let key = try #require(SecKeyCreateRandomKey(parameters.merging(more) { $1 } as CFDictionary, nil))
        #expect(SecKeyCopyExternalRepresentation(key, nil) == nil)
        let other = try #require(SecKeyCopyPublicKey(key))
        let bytes = try #require(SecKeyCopyExternalRepresentation(other, nil)) as Data
        let certificate = try certify(
            name, serial: serial, publicKey: DER.pem("PUBLIC KEY", KeyPackage.info(kind, bytes)))
        #expect(SecItemAdd([kSecValueRef: certificate] as CFDictionary, nil) == errSecSuccess)
        return try #require(SecIdentityCreate(nil, certificate, key))
    }

    static var kept: [CFString: Any] {
        [kSecAttrIsExtractable: false, kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true]]
    }
    static var inEnclave: [CFString: Any] {
        [kSecAttrTokenID: kSecAttrTokenIDSecureEnclave, kSecPrivateKeyAttrs: [kSecAttrIsPermanent: true]]
    }
}

/// Messages by way of our own encoder and decoder.
enum Messages {
    static let text = Data("Meet me at noon.\r\n".utf8)

    /// A message whose options `set` chose.
    static func encoded(_ content: Data = text, _ set: (CMSEncoder) -> Void) throws -> Data {
        var encoder: CMSEncoder?
        #expect(CMSEncoderCreate(&encoder) == errSecSuccess)
        let made = try #require(encoder)
        set(made)
        // In two pieces, as a program that reads a file does it.
        for piece in [content.prefix(5), content.dropFirst(5)].map({ [UInt8]($0) }) {
            #expect(CMSEncoderUpdateContent(made, piece, piece.count) == errSecSuccess)
        }
        var message: CFData?
        let status = CMSEncoderCopyEncodedContent(made, &message)
        #expect(status == errSecSuccess, "\(Llavero.lastFailure ?? "")")
        return try #require(message) as Data
    }

    /// The decoder of a message, and what its end came to.
    static func decoder(_ message: Data, detached: Data? = nil) throws -> (CMSDecoder, OSStatus) {
        var decoder: CMSDecoder?
        #expect(CMSDecoderCreate(&decoder) == errSecSuccess)
        let made = try #require(decoder)
        let bytes = [UInt8](message)
        #expect(CMSDecoderUpdateMessage(made, bytes, bytes.count) == errSecSuccess)
        if let detached { #expect(CMSDecoderSetDetachedContent(made, detached as CFData) == errSecSuccess) }
        return (made, CMSDecoderFinalizeMessage(made))
    }
}

extension CMSDecoder {
    var content: Data? {
        var content: CFData?
        return CMSDecoderCopyContent(self, &content) == errSecSuccess ? content as Data? : nil
    }

    var signers: Int? {
        var count = -1
        return CMSDecoderGetNumSigners(self, &count) == errSecSuccess ? count : nil
    }

    /// The status of a signer, and why the certificate is not trusted.
    func status(_ index: Int = 0, trusting root: SecCertificate? = nil) throws -> (CMSSignerStatus, OSStatus) {
        var status = CMSSignerStatus.unsigned
        var trust: SecTrust?
        var code: OSStatus = -1
        let policy = SecPolicyCreateBasicX509()
        #expect(CMSDecoderCopySignerStatus(self, index, policy, root == nil, &status, &trust, &code) == errSecSuccess)
        if let root {
            let trust = try #require(trust)
            SecTrustSetAnchorCertificates(trust, [root] as CFArray)
            SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: 5))
            var error: CFError?
            if !SecTrustEvaluateWithError(trust, &error) { code = OSStatus(error?.code ?? 0) }
        }
        return (status, code)
    }
}
