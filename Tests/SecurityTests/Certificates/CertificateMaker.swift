// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Certificates made by the `openssl` command in a folder that goes away with it.
final class CertificateMaker: Sendable {
    struct Failure: Error {
        let arguments: [String]
        let message: String
    }

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("llavero-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Makes the certificate `name`, signed by itself or by `issuer`.
    func make(
        _ name: String, subject: String? = nil, issuer: String? = nil, extensions: String, days: Int = 365
    ) throws -> SecCertificate {
        try openssl("genpkey", "-out", "\(name).key", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
        try openssl(
            "req", "-new", "-utf8", "-key", "\(name).key", "-subj", subject ?? "/CN=\(name)", "-out", "\(name).csr")
        try write(extensions, to: "\(name).ext")
        let signer = issuer.map { ["-CA", "\($0).pem", "-CAkey", "\($0).key"] } ?? ["-key", "\(name).key"]
        try run(
            ["x509", "-req", "-in", "\(name).csr", "-days", "\(days)", "-out", "\(name).pem", "-extfile"]
                + ["\(name).ext", "-set_serial", serial(name)] + signer)
        return try certificate(der(name))
    }

    /// The certificate that a request in PEM asks for.
    func certify(request: String, _ name: String, issuer: String) throws -> SecCertificate {
        try write(request, to: "\(name).csr")
        try openssl(
            "x509", "-req", "-in", "\(name).csr", "-days", "30", "-out", "\(name).pem", "-set_serial", serial(name),
            "-CA", "\(issuer).pem", "-CAkey", "\(issuer).key")
        return try certificate(der(name))
    }

    func der(_ name: String) throws -> Data { try openssl("x509", "-in", "\(name).pem", "-outform", "DER") }

    /// The answer of a responder for `issuer` about `name`.
    func response(_ issuer: String, about name: String, isRevoked: Bool) throws -> Data {
        try index(name, isRevoked)
        try openssl("ocsp", "-issuer", "\(issuer).pem", "-cert", "\(name).pem", "-no_nonce", "-reqout", "request")
        try openssl(
            "ocsp", "-index", "index", "-CA", "\(issuer).pem", "-rsigner", "\(issuer).pem", "-rkey", "\(issuer).key",
            "-reqin", "request", "-respout", "response", "-ndays", "7")
        return try Data(contentsOf: folder.appendingPathComponent("response"))
    }

    /// A responder for `issuer` that knows `name`, and signs with the key of `signer`.
    func responder(
        _ issuer: String, about name: String, isRevoked: Bool, signer: String? = nil
    ) throws -> StatusResponder {
        try index(name, isRevoked)
        let signer = signer ?? issuer
        return try StatusResponder(
            ["-index", "index", "-CA", "\(issuer).pem", "-rsigner", "\(signer).pem", "-rkey", "\(signer).key"],
            in: folder)
    }

    /// A list by `issuer` that names the certificate `name`.
    func list(_ issuer: String, revoked name: String) throws -> Data {
        try index(name, true)
        try write("[ca]\ndefault_ca = d\n[d]\ndatabase = index\ndefault_md = sha256\n", to: "ca")
        try openssl(
            "ca", "-gencrl", "-config", "ca", "-cert", "\(issuer).pem", "-keyfile", "\(issuer).key", "-crldays", "30",
            "-out", "list")
        return try openssl("crl", "-in", "list", "-outform", "DER")
    }

    private func index(_ name: String, _ isRevoked: Bool) throws {
        let number = serial(name).dropFirst(2).uppercased()
        let kind = isRevoked ? "R\t491231235959Z\t240101000000Z" : "V\t491231235959Z\t"
        try write("\(kind)\t\(number)\tunknown\t/CN=\(name)\n", to: "index")
        try write("unique_subject = no\n", to: "index.attr")
    }

    private func serial(_ name: String) -> String { "0x" + name.utf8.map { String($0, radix: 16) }.joined() }

    private func certificate(_ der: Data) throws -> SecCertificate {
        guard let certificate = SecCertificateCreateWithData(nil, der as NSData) else {
            throw Failure(arguments: [], message: "not taken")
        }
        return certificate
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    @discardableResult
    func openssl(_ arguments: String...) throws -> Data { try run(arguments) }

    @discardableResult
    private func run(_ arguments: [String]) throws -> Data {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        let messages = folder.appendingPathComponent("messages-\(UUID().uuidString)")
        try Data().write(to: messages)
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: messages)
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(arguments: arguments, message: try String(contentsOf: messages, encoding: .utf8))
        }
        return bytes
    }

    static let authority = """
        basicConstraints = critical, CA:true
        keyUsage = critical, keyCertSign, cRLSign
        subjectKeyIdentifier = hash

        """
    static let server = """
        basicConstraints = CA:false
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:www.example.com, DNS:*.example.org, IP:192.0.2.7

        """
}

/// A root, an authority under it, and a server under that.
struct MadeChain {
    let maker: CertificateMaker
    let root: SecCertificate
    let middle: SecCertificate
    let leaf: SecCertificate

    init(leaf extensions: String = CertificateMaker.server) throws {
        maker = try CertificateMaker()
        root = try maker.make("root", extensions: CertificateMaker.authority)
        middle = try maker.make("middle", issuer: "root", extensions: CertificateMaker.authority)
        leaf = try maker.make("leaf", issuer: "middle", extensions: extensions)
    }

    /// Trust in the leaf, with the root as the only anchor.
    func trust(_ policies: CFTypeRef? = nil) throws -> SecTrust {
        let trust = try bareTrust(policies)
        SecTrustSetAnchorCertificates(trust, [root] as NSArray)
        // Certificates begin in the second they are made in.
        SecTrustSetVerifyDate(trust, NSDate(timeIntervalSinceNow: 5))
        return trust
    }

    /// Trust in the leaf, with the anchors of the system.
    func bareTrust(_ policies: CFTypeRef? = nil) throws -> SecTrust {
        var trust: SecTrust?
        let status = SecTrustCreateWithCertificates([leaf, middle] as NSArray, policies, &trust)
        guard status == errSecSuccess, let trust else {
            throw CertificateMaker.Failure(arguments: [], message: "\(status)")
        }
        return trust
    }
}

extension SecTrust {
    /// 0 when it is trusted, else the code of the error.
    var code: OSStatus {
        var error: CFError?
        guard !SecTrustEvaluateWithError(self, &error) else { return error == nil ? 0 : .max }
        guard let error, error.domain == NSOSStatusErrorDomain else { return .min }
        return OSStatus(error.code)
    }

    var result: SecTrustResultType? {
        var result = SecTrustResultType.invalid
        return SecTrustGetTrustResult(self, &result) == errSecSuccess ? result : nil
    }
}
