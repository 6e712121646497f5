// SPDX-License-Identifier: Apache-2.0

import CTLSTest
import Foundation
import Security

/// A TLS client on OpenSSL whose key is a `SecKey` and whose judge is a `SecTrust`: OpenSSL has neither key nor anchors.
final class TLSClient {
    private let key: SecKey
    private let certificate: Data?
    private let anchor: SecCertificate

    /// The algorithms it has signed with.
    private(set) var signed: [SecKeyAlgorithm] = []
    /// Whether it has trusted the server, and if it did not, why.
    private(set) var trusted: Bool?
    private(set) var distrust: OSStatus = errSecSuccess

    /// What came of a conversation.
    struct Outcome {
        let result: UInt32
        let answer: String
        /// OpenSSL's complaint.
        let reason: String

        var isDone: Bool { result == LLT_TLS_DONE.rawValue }
        var isStarted: Bool { result != LLT_TLS_NOT_STARTED.rawValue }
        var isRefused: Bool { result == LLT_TLS_NO_HANDSHAKE.rawValue }
    }

    init(_ certificate: SecCertificate?, _ key: SecKey, trusting anchor: SecCertificate) {
        self.certificate = certificate.map { SecCertificateCopyData($0) as Data }
        self.key = key
        self.anchor = anchor
    }

    /// Sends a line to a server, and gets one.
    func say(_ line: String, to server: TLSServer, _ version: TLSVersion, host: String = TLSServer.host) -> Outcome {
        var answer = [CChar](repeating: 0, count: 1000)
        var reason = [CChar](repeating: 0, count: 200)
        let certificate = [UInt8](certificate ?? Data())
        let result = server.path.withCString { path in
            host.withCString { host in
                certificate.withUnsafeBufferPointer { certificate in
                    var client = llt_tls_client(
                        path: path, host: host, version: version.number,
                        certificate: certificate.isEmpty ? nil : certificate.baseAddress,
                        certificate_size: certificate.count, context: Unmanaged.passUnretained(self).toOpaque(),
                        sign: Self.sign, trust: Self.trust)
                    return llt_tls_talk(&client, line + "\n", &answer, answer.count, &reason, reason.count)
                }
            }
        }
        return Outcome(result: UInt32(bitPattern: result), answer: Self.text(answer), reason: Self.text(reason))
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> TLSClient {
        Unmanaged<TLSClient>.fromOpaque(context).takeUnretainedValue()
    }

    private static let sign: llt_tls_sign = { context, signing, input, count, signature, size in
        let client = TLSClient.of(context)
        guard let algorithm = TLSClient.algorithm(signing),
            let made = SecKeyCreateSignature(
                client.key, algorithm, Data(bytes: input, count: count) as CFData, nil) as Data?,
            made.count <= size.pointee
        else { return false }
        client.signed.append(algorithm)
        made.copyBytes(to: signature, count: made.count)
        size.pointee = made.count
        return true
    }

    private static func algorithm(_ signing: Int32) -> SecKeyAlgorithm? {
        switch UInt32(bitPattern: signing) {
        case LLT_TLS_ECDSA.rawValue: .ecdsaSignatureDigestX962
        case LLT_TLS_RSA_NUMBER.rawValue: .rsaSignatureRaw
        case LLT_TLS_RSA_PKCS1.rawValue: .rsaSignatureDigestPKCS1v15Raw
        default: nil
        }
    }

    private static let trust: llt_tls_trust = { context, certificates, sizes, count in
        let client = TLSClient.of(context)
        let chain = (0..<count).compactMap { index in
            SecCertificateCreateWithData(nil, Data(bytes: certificates[index], count: sizes[index]) as CFData)
        }
        client.trusted = chain.count == count && client.trusts(chain)
        return client.trusted ?? false
    }

    /// As programs do that pin an authority: its certificate is the only anchor.
    private func trusts(_ chain: [SecCertificate]) -> Bool {
        var made: SecTrust?
        let policy = SecPolicyCreateSSL(true, TLSServer.host as CFString)
        guard SecTrustCreateWithCertificates(chain as CFArray, policy, &made) == errSecSuccess, let trust = made,
            SecTrustSetAnchorCertificates(trust, [anchor] as CFArray) == errSecSuccess,
            SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
        else { return false }
        var error: CFError?
        if SecTrustEvaluateWithError(trust, &error) { return true }
        distrust = OSStatus(error?.code ?? 0)
        return false
    }
}
