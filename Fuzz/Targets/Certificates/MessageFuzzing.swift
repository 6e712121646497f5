// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainExchange
internal import KeychainModel

/// Messages that are signed or encrypted, and what people say of certificates.
internal enum MessageFuzzing {
    static func feed(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let message = try? CMSMessage(reading: bytes) else { return .refused }
        switch message {
        case .plain: return .accepted
        case .signed(let signed): try check(signed)
        case .enveloped(let envelope): try check(envelope)
        }
        return .accepted
    }

    private static func check(_ message: SignedMessage) throws(BrokenPromise) {
        for signer in message.signers.prefix(4) {
            let certificate = message.certificate(of: signer)
            if let certificate {
                try promise(signer.reference.isMeant(certificate), "a signer's certificate is the one that is meant")
            }
            for candidate in [certificate].compactMap(\.self) + message.certificates.prefix(2) {
                _ = message.isSigned(by: signer, candidate, detached: [1])
            }
            if let token = signer.timestampToken, let stamp = try? TimestampToken(token, about: signer.signature) {
                _ = stamp.signer
                try promise(
                    (try? TimestampToken(token, about: signer.signature + [0])) == nil,
                    "a stamp is of its signature alone")
            }
        }
    }

    private static func check(_ envelope: EnvelopedMessage) throws(BrokenPromise) {
        let key = SecretBytes(count: envelope.keySize) { _ in }
        _ = envelope.content(openedWith: key)
        let short = SecretBytes(count: envelope.keySize - 1) { _ in }
        try promise(envelope.content(openedWith: short) == nil, "a key of another size opens nothing")
        for recipient in envelope.recipients.prefix(4) {
            guard case .agreement(let agreement) = recipient.method else { continue }
            let derived = SecretBytes(count: agreement.keySize) { _ in }
            try promise(agreement.unwrap(derived) == nil, "a key of zeros unwraps nothing")
        }
    }

    /// The settings in bytes: what is read is written as the same bytes.
    static func feedSettings(_ bytes: [UInt8]) throws(BrokenPromise) -> FuzzOutcome {
        guard let settings = TrustSettings(bytes) else { return .refused }
        guard let again = try? settings.encoded() else { throw BrokenPromise("settings that were read can be written") }
        try promise(again == bytes, "settings have one encoding")
        return .accepted
    }
}
