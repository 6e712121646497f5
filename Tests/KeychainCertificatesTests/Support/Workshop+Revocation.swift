// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainCertificates
import TestCertificates

extension Workshop {
    /// A list by `issuer`, or by somebody else of that name, that names the certificates in `revoked`.
    func list(_ issuer: String, revoked: [String], days: Int = 30, signer: String? = nil) throws -> [UInt8] {
        try writeIndex(revoked: revoked, good: [])
        try openssl.write(
            """
            [ca]
            default_ca = d
            [d]
            database = index.txt
            default_md = sha256
            \(signer == nil ? "crl_extensions = e" : "")
            [e]
            authorityKeyIdentifier = keyid

            """, to: "ca.cnf")
        let signer = signer ?? issuer
        try openssl(
            "ca", "-gencrl", "-config", "ca.cnf", "-cert", "\(signer).pem", "-keyfile", "\(signer).key", "-crldays",
            "\(days)", "-out", "list.pem")
        return try openssl("crl", "-in", "list.pem", "-outform", "DER")
    }

    /// The answer of a responder for `issuer` about `certificate`.
    func response(
        _ issuer: String, about certificate: String, isRevoked: Bool, responder: String? = nil, days: Int = 7
    ) throws -> [UInt8] {
        try writeIndex(revoked: isRevoked ? [certificate] : [], good: isRevoked ? [] : [certificate])
        let responder = responder ?? issuer
        try openssl(
            "ocsp", "-issuer", "\(issuer).pem", "-cert", "\(certificate).pem", "-no_nonce", "-reqout", "request.der")
        try openssl(
            "ocsp", "-index", "index.txt", "-CA", "\(issuer).pem", "-rsigner", "\(responder).pem", "-rkey",
            "\(responder).key", "-reqin", "request.der", "-respout", "response.der", "-ndays", "\(days)")
        return try openssl.read("response.der")
    }

    private func writeIndex(revoked: [String], good: [String]) throws {
        var lines = ""
        for (names, kind) in [(revoked, "R"), (good, "V")] {
            for name in names {
                let number = try openssl.text("x509", "-in", "\(name).pem", "-noout", "-serial").dropFirst(
                    "serial=".count)
                let date = kind == "R" ? "240101000000Z" : ""
                lines += "\(kind)\t491231235959Z\t\(date)\t\(number)\tunknown\t/CN=\(name)\n"
            }
        }
        try openssl.write(lines, to: "index.txt")
        try openssl.write("unique_subject = no\n", to: "index.txt.attr")
    }
}
