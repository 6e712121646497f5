// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import KeychainModel
import TestProcesses

/// Certificates made by the `openssl` command in a folder of the test's own.
struct Workshop {
    enum KeyKind: String, CaseIterable {
        case rsa2048
        case rsa1024
        case p256
        case p384
        case ed25519
    }

    let openssl: OpenSSLCommand

    init() throws {
        openssl = OpenSSLCommand(folder: try TestFolder())
    }

    /// Makes `name.key` unless it is there.
    func makeKey(_ name: String, _ kind: KeyKind = .p256) throws {
        guard !FileManager.default.fileExists(atPath: openssl.folder.file("\(name).key")) else { return }
        let options =
            switch kind {
            case .rsa2048: ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
            case .rsa1024: ["RSA", "-pkeyopt", "rsa_keygen_bits:1024"]
            case .p256: ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .p384: ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"]
            case .ed25519: ["ED25519"]
            }
        try openssl.run(["genpkey", "-out", "\(name).key", "-algorithm"] + options)
    }

    /// Makes `name.pem`, signed by itself or by `issuer`; without extensions it is of version 1.
    @discardableResult
    func make(
        _ name: String, _ kind: KeyKind = .p256, subject: String? = nil, issuer: String? = nil,
        extensions: String? = nil, options: [String] = [], digest: String = "sha256", days: Int = 3650,
        key: String? = nil
    ) throws -> Certificate {
        let key = key ?? name
        try makeKey(key, kind)
        try openssl.run(
            ["req", "-new", "-utf8", "-key", "\(key).key", "-subj", subject ?? "/CN=\(name)", "-out", "\(name).csr"])
        var arguments = ["x509", "-req", "-in", "\(name).csr", "-days", "\(days)", "-out", "\(name).pem"]
        if kind != .ed25519 || issuer != nil { arguments.append("-\(digest)") }
        if let extensions {
            try openssl.write(extensions, to: "\(name).ext")
            arguments += ["-extfile", "\(name).ext"]
        }
        if let issuer {
            arguments += ["-CA", "\(issuer).pem", "-CAkey", "\(issuer).key", "-set_serial", serial(name)]
        } else {
            arguments += ["-key", "\(key).key", "-set_serial", serial(name)]
        }
        try openssl.run(arguments)
        return try certificate(name)
    }

    /// A root that may sign everything.
    @discardableResult
    func makeRoot(_ name: String = "root", _ kind: KeyKind = .p256, more: String = "") throws -> Certificate {
        try make(name, kind, extensions: Self.authority + more)
    }

    func der(_ name: String) throws -> [UInt8] {
        try openssl("x509", "-in", "\(name).pem", "-outform", "DER")
    }

    func certificate(_ name: String) throws -> Certificate {
        guard let certificate = Certificate(der: try der(name)) else { throw Refused(name: name) }
        return certificate
    }

    func serial(_ name: String) -> String {
        "0x" + name.utf8.map { String($0, radix: 16) }.joined().prefix(30)
    }

    struct Refused: Error {
        let name: String
    }

    static let authority = """
        basicConstraints = critical, CA:true
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash

        """
    static let server = """
        basicConstraints = CA:false
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:www.example.com, DNS:*.example.org, IP:192.0.2.7, IP:2001:db8::7

        """
}

extension Certificate {
    /// A time at which it is valid.
    var then: Double { notBefore + 3600 }
}

extension SecretBytes {
    init(_ text: String) {
        let bytes = Array(text.utf8)
        self = bytes.withUnsafeBytesOfSecret()
    }

    init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytesOfSecret()
    }

    var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

extension [UInt8] {
    fileprivate func withUnsafeBytesOfSecret() -> SecretBytes {
        let source = self
        return SecretBytes(count: source.count) { $0.copyBytes(from: source) }
    }
}
