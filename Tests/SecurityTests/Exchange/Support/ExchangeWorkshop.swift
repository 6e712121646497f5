// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Keys, certificates and files made by the `openssl` command in a folder that goes away with it.
final class ExchangeWorkshop: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case rsa, p256, p384, p521, ed25519

        fileprivate var arguments: [String] {
            switch self {
            case .rsa: ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
            case .p256: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .p384: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-384"]
            case .p521: ["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-521"]
            case .ed25519: ["-algorithm", "ED25519"]
            }
        }

        /// Whether keys of the kind have a form beside PKCS#8.
        var hasOwnForm: Bool { self != .ed25519 }
    }

    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("llavero-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ data: Data, to name: String) throws { try data.write(to: folder.appendingPathComponent(name)) }

    func read(_ name: String) throws -> Data { try Data(contentsOf: folder.appendingPathComponent(name)) }

    /// Makes `name.key`, in PKCS#8 and PEM.
    func makeKey(_ name: String, _ kind: Kind = .p256) throws {
        try run(["genpkey", "-out", "\(name).key"] + kind.arguments)
    }

    /// Makes `name.key` and its certificate `name.pem`, signed by itself or by `issuer`.
    @discardableResult
    func make(_ name: String, _ kind: Kind = .p256, issuer: String? = nil) throws -> SecCertificate {
        try makeKey(name, kind)
        try openssl("req", "-new", "-utf8", "-key", "\(name).key", "-subj", "/CN=\(name)", "-out", "\(name).csr")
        try write(Data("basicConstraints = critical, CA:\(name != "leaf")\n".utf8), to: "extensions")
        let signer = issuer.map { ["-CA", "\($0).pem", "-CAkey", "\($0).key"] } ?? ["-key", "\(name).key"]
        try run(["x509", "-req", "-in", "\(name).csr", "-out", "\(name).pem", "-extfile", "extensions"] + signer)
        return try certificate(name)
    }

    func certificate(_ name: String) throws -> SecCertificate {
        let der = try openssl("x509", "-in", "\(name).pem", "-outform", "DER")
        guard let certificate = SecCertificateCreateWithData(nil, der as NSData) else {
            throw CertificateMaker.Failure(arguments: [], message: "not taken")
        }
        return certificate
    }

    /// `leaf`, issued by `middle`, issued by `root`.
    func makeChain(_ kind: Kind = .p256) throws {
        try make("root")
        try make("middle", issuer: "root")
        try make("leaf", kind, issuer: "middle")
        try write(try read("middle.pem") + read("root.pem"), to: "others.pem")
    }

    /// PKCS#12 of the leaf and the certificates above it.
    func pkcs12(_ options: [String] = [], passphrase: String = "secret") throws -> Data {
        try run(
            [
                "pkcs12", "-export", "-inkey", "leaf.key", "-in", "leaf.pem", "-certfile", "others.pem", "-name",
                "Jürgen",
            ]
                + ["-passout", "pass:\(passphrase)"] + options)
    }

    @discardableResult
    func openssl(_ arguments: String...) throws -> Data { try run(arguments) }

    func text(_ arguments: String...) throws -> String { String(decoding: try run(arguments), as: UTF8.self) }

    /// What the command writes on its standard output.
    @discardableResult
    func run(_ arguments: [String]) throws -> Data { try call(arguments).output }

    /// What the command says beside that.
    func messages(_ arguments: String...) throws -> String { try call(arguments).messages }

    private func call(_ arguments: [String]) throws -> (output: Data, messages: String) {
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
        let said = try String(contentsOf: messages, encoding: .utf8)
        guard process.terminationStatus == 0 else {
            throw CertificateMaker.Failure(arguments: arguments, message: said)
        }
        return (bytes, said)
    }
}
