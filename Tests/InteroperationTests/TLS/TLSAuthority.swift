// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// An authority of OpenSSL's, which certifies a server and whatever key is brought to it.
struct TLSAuthority {
    /// Where the server's files are.
    let command: OpenSSLCommand
    let certificate: SecCertificate

    init() throws {
        command = try OpenSSLCommand()
        for name in ["ca", "server"] {
            try command("genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", "\(name).key")
        }
        try command(
            "req", "-x509", "-new", "-key", "ca.key", "-subj", "/CN=Test Authority", "-days", "30", "-out", "ca.pem")
        try command("pkey", "-in", "server.key", "-pubout", "-out", "server.pub")
        try command.write(
            Data("basicConstraints=CA:false\nextendedKeyUsage=serverAuth\nsubjectAltName=DNS:localhost\n".utf8),
            "server.ext")
        try command(
            "x509", "-new", "-force_pubkey", "server.pub", "-CA", "ca.pem", "-CAkey", "ca.key", "-subj", "/CN=server",
            "-set_serial", "2", "-days", "30", "-extfile", "server.ext", "-out", "server.pem")
        let der = try command("x509", "-in", "ca.pem", "-outform", "DER")
        certificate = try #require(SecCertificateCreateWithData(nil, der as CFData))
    }

    /// A client's certificate for a key that nobody but its keychain has.
    func certify(_ key: SecKey, _ kind: KeyKind, name: String) throws -> SecCertificate {
        let other = try #require(SecKeyCopyPublicKey(key))
        let bytes = try #require(SecKeyCopyExternalRepresentation(other, nil)) as Data
        try command.write(DER.pem("PUBLIC KEY", KeyPackage.info(kind, bytes)), "client.pub")
        try command.write(Data("basicConstraints=CA:false\nextendedKeyUsage=clientAuth\n".utf8), "client.ext")
        let der = try command(
            "x509", "-new", "-force_pubkey", "client.pub", "-CA", "ca.pem", "-CAkey", "ca.key", "-subj", "/CN=\(name)",
            "-set_serial", "3", "-days", "30", "-extfile", "client.ext", "-outform", "DER")
        return try #require(SecCertificateCreateWithData(nil, der as CFData))
    }
}
