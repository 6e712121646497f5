// SPDX-License-Identifier: Apache-2.0

internal import Foundation
package import KeychainCertificates
package import KeychainModel
internal import TestProcesses

/// Certificates made by the `openssl` command in a folder of the test's own.
package struct Workshop: Sendable {
    package enum KeyKind: String, CaseIterable, Sendable {
        case rsa2048
        case rsa1024
        case p256
        case p384
        case ed25519
    }

    package let openssl: OpenSSLCommand

    package init() throws {
        openssl = OpenSSLCommand(folder: try TestFolder())
    }

    /// Makes `name.key` unless it is there.
    package func makeKey(_ name: String, _ kind: KeyKind = .p256) throws {
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
    package func make(
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
    package func makeRoot(_ name: String = "root", _ kind: KeyKind = .p256, more: String = "") throws -> Certificate {
        try make(name, kind, extensions: Self.authority + more)
    }

    package func der(_ name: String) throws -> [UInt8] {
        try openssl("x509", "-in", "\(name).pem", "-outform", "DER")
    }

    package func certificate(_ name: String) throws -> Certificate {
        guard let certificate = Certificate(der: try der(name)) else { throw Refused(name: name) }
        return certificate
    }

    package func serial(_ name: String) -> String {
        "0x" + name.utf8.map { String($0, radix: 16) }.joined().prefix(30)
    }

    package struct Refused: Error {
        let name: String
    }

    package static let authority = """
        basicConstraints = critical, CA:true
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash

        """
    package static let server = """
        basicConstraints = CA:false
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:www.example.com, DNS:*.example.org, IP:192.0.2.7, IP:2001:db8::7

        """
}

/// A root, an authority under it, and a server under that.
package struct CertificateChain: Sendable {
    package let workshop: Workshop
    package let root: Certificate
    package let middle: Certificate
    package let leaf: Certificate

    package init(_ kind: Workshop.KeyKind = .p256, leaf extensions: String = Workshop.server) throws {
        workshop = try Workshop()
        root = try workshop.makeRoot("root", kind)
        middle = try workshop.make("middle", kind, issuer: "root", extensions: Workshop.authority)
        leaf = try workshop.make("leaf", kind, issuer: "middle", extensions: extensions)
    }

    package func trust(_ policies: TrustPolicy...) -> Trust {
        Trust(leaf, intermediates: [middle], policies: policies, anchors: .only([root]))
    }
}

extension Certificate {
    /// A time at which it is valid.
    package var then: Double { notBefore + 3600 }
}

extension SecretBytes {
    package init(_ text: String) {
        let bytes = Array(text.utf8)
        self = bytes.withUnsafeBytesOfSecret()
    }

    package init(_ bytes: [UInt8]) {
        self = bytes.withUnsafeBytesOfSecret()
    }

    package var bytes: [UInt8] { withUnsafeBytes { [UInt8]($0) } }
}

extension [UInt8] {
    fileprivate func withUnsafeBytesOfSecret() -> SecretBytes {
        let source = self
        return SecretBytes(count: source.count) { $0.copyBytes(from: source) }
    }
}
