// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainCertificates
internal import KeychainCrypto
internal import KeychainExchange
internal import KeychainKeys
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStatus
internal import KeychainTools

/// `security cms`.
enum MessageVerb: SecurityVerb {
    static let name = "cms"
    static let summary = "signs, encrypts and reads messages"
    static let usage = """
        -S [-N NAME | -Z HASH] [-G] [-P] [-T] [-H HASH] | -E -r NAME[,NAME…] | -D [-c FILE] [-n] [-h N] [-i FILE] [-o FILE] [-k KEYCHAIN]

        Signs (-S), encrypts (-E) or reads (-D) a message of the Cryptographic Message Syntax, as S/MIME and provisioning profiles have it, in
        DER. Keys may be ones that do not leave their keychain.

          -N NAME      who signs: part of the common name, or an e-mail address
          -Z HASH      who signs: the SHA-1 or SHA-256 hash of the certificate
          -G           says when it was signed
          -P           says which ciphers the signer reads
          -T           leaves the content out of the message
          -H HASH      SHA256 or SHA1; SHA256 if not given
          -r NAME      for whom it is encrypted, by common name, e-mail address, or the hash of the certificate
          -c FILE      the content, when the message does not have it
          -n           does not print the content
          -h N         prints a header with the signers, at level N
          -i FILE      reads from it, instead of standard input
          -o FILE      writes to it, instead of standard output; to a device or a pipe as it is
          -k KEYCHAIN  where keys and certificates are; the search list if not given
          -C           not supported: encryption under a key that both sides have already

        A message with a wrong signature is not printed. Whether the signer is trusted is another question: -D says on a terminal, or
        with -v before the subcommand, when that is not so.
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: "SDECN:Z:GPTH:r:c:nh:i:o:k:"))
        try options.requireNoOperands()
        if options.has("C") { throw .usage("-C is not supported; use -E, which needs no key that both sides have") }
        let keychains = try KeychainSearch.searched(options.value("k").map { [$0] } ?? [], session)
        var locked = LockedKeychains()
        switch (options.has("S"), options.has("D"), options.has("E")) {
        case (true, false, false):
            try write(try sign(try content(options), options, keychains, &locked), options)
        case (false, false, true):
            try write(try encrypt(try content(options), options, keychains, &locked), options)
        case (false, true, false): try read(options, keychains, &locked, session)
        default: throw .usage("one of -S, -D and -E is required")
        }
        locked.tell(session)
    }

    private static func content(_ options: SecurityOptions) throws(SecurityFailure) -> [UInt8] {
        let secret: SecretValue
        if let path = options.value("i") {
            secret = try InputFile.read(path)
        } else {
            secret = try SecurityFailure.translating("read") { () throws(CommandError) in
                try SecretInput.all(from: STDIN_FILENO, line: false)
            }
        }
        return unsafe secret.withUnsafeBytes { unsafe Array($0) }
    }

    private static func write(_ bytes: [UInt8], _ options: SecurityOptions) throws(SecurityFailure) {
        let secret = SecretValue(copying: bytes)
        guard let path = options.value("o") else {
            return try SecurityFailure.translating("write") { () throws(CommandError) in
                try SecretOutput.write(secret, to: STDOUT_FILENO)
            }
        }
        try InputFile.write(secret, to: path)
    }

    // MARK: Writing

    private static func sign(
        _ content: [UInt8], _ options: SecurityOptions, _ keychains: [ToolKeychain], _ locked: inout LockedKeychains
    ) throws(SecurityFailure) -> [UInt8] {
        let wanted: (PlacedCertificate) -> Bool
        if let hash = options.value("Z")?.uppercased() {
            wanted = { $0.sha1 == hash || $0.sha256 == hash }
        } else {
            guard let name = options.value("N") else { throw .usage("-S requires -N or -Z: who signs") }
            wanted = { isNamed($0.certificate, name) }
        }
        let found = try CertificateSearch.all(ofIdentities: true, in: keychains, passing: &locked).filter(wanted)
        guard !found.isEmpty else { throw locked.failure ?? .notFound("SecIdentitySearchCopyNext") }
        guard let signer = newest(found), let item = signer.key else {
            throw .failure(
                "\(Set(found.map(\.sha256)).count) identities have that name; select one by its hash with -Z:\(hashes(of: found))"
            )
        }
        guard let key = try ToolMessageKey(item, in: signer.keychain) else {
            throw .status(.undecodable, call: "SecIdentityCopyPrivateKey", why: nil)
        }
        var statements = SignedMessageDraft.Statements()
        if options.has("G") { statements.signingTime = DateText.now }
        statements.hasCapabilities = options.has("P")
        let hash: SignedMessageDraft.Hash
        switch options.value("H")?.uppercased() {
        case nil, "SHA256"?: hash = .sha256
        case "SHA1"?: hash = .sha1
        case let word?: throw .usage("-H \(word) is not supported; the hashes are SHA256 and SHA1")
        }
        let others = try CertificateSearch.all(in: keychains, passing: &locked).map(\.certificate)
        let above = chain(above: signer.certificate, among: others)
        let draft = SignedMessageDraft(
            content, isDetached: options.has("T"), signers: [signer.certificate],
            certificates: [signer.certificate] + above, hash: hash, statements: statements)
        return try SecurityFailure.translating(exchange: "CMSEncoderCopyEncodedContent") { () throws(ExchangeFailure) in
            try draft.der { (_, bytes) throws(ExchangeFailure) in try key.signature(of: bytes, hash) }
        }
    }

    /// The authorities above a certificate, but for the root.
    private static func chain(above certificate: Certificate, among others: [Certificate]) -> [Certificate] {
        var chain: [Certificate] = []
        var last = certificate
        while !last.isSelfIssued, chain.count < 10,
            let next = others.first(where: {
                $0.subject.normalizedContent == last.issuer.normalizedContent && !chain.contains($0)
            }), !next.isSelfIssued
        {
            chain.append(next)
            last = next
        }
        return chain
    }

    private static func encrypt(
        _ content: [UInt8], _ options: SecurityOptions, _ keychains: [ToolKeychain], _ locked: inout LockedKeychains
    ) throws(SecurityFailure) -> [UInt8] {
        guard let list = options.value("r") else { throw .usage("-E requires -r: for whom it is encrypted") }
        let all = try CertificateSearch.all(in: keychains, passing: &locked)
        var recipients: [Certificate] = []
        for name in list.split(separator: ",").map(String.init) {
            let hash = name.uppercased()
            let found = all.filter { isNamed($0.certificate, name) || $0.sha1 == hash || $0.sha256 == hash }
            guard !found.isEmpty else {
                throw locked.failure ?? .failure("no certificate in the keychains is for \(name)")
            }
            guard let one = newest(found) else {
                throw .failure(
                    "\(Set(found.map(\.sha256)).count) certificates are for \(name); give the hash of one with -r:\(hashes(of: found))"
                )
            }
            recipients.append(one.certificate)
        }
        return try SecurityFailure.translating(exchange: "CMSEncoderCopyEncodedContent") { () throws(ExchangeFailure) in
            try ExchangeFailure.translating { () throws(ExchangeError) in
                try EnvelopedMessage.sealed(content, type: .cmsData, for: recipients)
            }
        }
    }

    /// The one that is meant: the newest of a certificate that was renewed, wherever else it lies; nil where they are of several
    /// subjects.
    private static func newest(_ found: [PlacedCertificate]) -> PlacedCertificate? {
        let now = DateText.now ?? 0
        let valid = found.filter { $0.certificate.isValid(on: now) }
        let those = valid.isEmpty ? found : valid
        guard let first = those.first,
            those.allSatisfy({ $0.certificate.subject.normalizedContent == first.certificate.subject.normalizedContent }
            )
        else { return nil }
        // Of one that is in several keychains the search list's first.
        return those.dropFirst().reduce(first) { newest, one in
            one.certificate.notBefore > newest.certificate.notBefore ? one : newest
        }
    }

    private static func hashes(of found: [PlacedCertificate]) -> String {
        var seen: Set<String> = []
        return found.filter { seen.insert($0.sha1).inserted }.map { one in
            "\n  \(one.sha1)  \(PlainText.shown(one.certificate.subjectSummary ?? "")), in \(one.keychain.shownName)"
        }.joined()
    }

    private static func isNamed(_ certificate: Certificate, _ name: String) -> Bool {
        certificate.hasAddress(name) || certificate.commonName?.contains(name) ?? false
    }

    // MARK: Reading

    private static func read(
        _ options: SecurityOptions, _ keychains: [ToolKeychain], _ locked: inout LockedKeychains, _ session: Session
    ) throws(SecurityFailure) {
        let bytes = try content(options)
        var message = try message { () throws(ExchangeError) in try CMSMessage(reading: bytes) }
        var kind = "signedData"
        if case .enveloped(let envelope) = message {
            kind = envelope.isAuthenticated ? "authEnvelopedData" : "envelopedData"
            let opened = try open(envelope, keychains, &locked)
            guard envelope.contentType == .cmsSignedData else {
                message = .plain(opened)
                return try print(message, kind, nil, options)
            }
            message = try Self.message { () throws(ExchangeError) in try CMSMessage(readingNested: opened) }
        }
        var detached: [UInt8]?
        if let path = options.value("c") {
            detached = unsafe try InputFile.read(path).withUnsafeBytes { unsafe Array($0) }
        }
        try check(message, detached, keychains, &locked, session)
        try print(message, kind, detached, options)
    }

    private static func message(
        _ read: () throws(ExchangeError) -> CMSMessage
    ) throws(SecurityFailure) -> CMSMessage {
        try SecurityFailure.translating(exchange: "CMSDecoderFinalizeMessage") { () throws(ExchangeFailure) in
            do throws(ExchangeError) { return try read() } catch {
                throw error == .undecodable
                    ? ExchangeFailure(.unknownFormat, "it is no message, or was changed") : ExchangeFailure(error)
            }
        }
    }

    private static func check(
        _ message: CMSMessage, _ detached: [UInt8]?, _ keychains: [ToolKeychain], _ locked: inout LockedKeychains,
        _ session: Session
    ) throws(SecurityFailure) {
        guard case .signed(let signed) = message, !signed.signers.isEmpty else { return }
        guard signed.content != nil || detached != nil else {
            throw .failure("the message does not have the content; give it with -c")
        }
        let stored = try CertificateSearch.all(in: keychains, passing: &locked).map(\.certificate)
        for (index, signer) in signed.signers.enumerated() {
            guard let certificate = signed.certificate(of: signer, among: stored) else {
                throw locked.failure
                    ?? .failure("the certificate of signer \(index) is neither in the message nor in a keychain")
            }
            guard signed.isSigned(by: signer, certificate, detached: detached) else {
                throw .failure("the signature of signer \(index) is wrong: the message was changed")
            }
            let verdict = try CertificatePolicy("basic", name: nil).verdict(
                on: certificate, signed.certificates + stored)
            if let verdict {
                session.remark("the certificate of signer \(index) is not trusted: \(verdict)")
            }
        }
    }

    private static func print(
        _ message: CMSMessage, _ kind: String, _ detached: [UInt8]?, _ options: SecurityOptions
    ) throws(SecurityFailure) {
        var content: [UInt8] = []
        var header = "type=\(kind);"
        switch message {
        case .plain(let text): content = text
        case .signed(let signed):
            content = signed.content ?? detached ?? []
            header += " nsigners=\(signed.signers.count);"
            for (index, signer) in signed.signers.enumerated() {
                let summary = signed.certificate(of: signer)?.subjectSummary ?? ""
                header += " signer\(index).id=\"\(PlainText.shown(summary))\"; signer\(index).status=GoodSignature;"
            }
        case .enveloped: break
        }
        if let level = try options.number("h", in: 0...Int32.max, "a number") {
            Swift.print("SMIME: level=\(level); \(header)")
            fflush(nil)
        }
        if !options.has("n") { try write(content, options) }
    }

    private static func open(
        _ envelope: EnvelopedMessage, _ keychains: [ToolKeychain], _ locked: inout LockedKeychains
    ) throws(SecurityFailure) -> [UInt8] {
        let identities = try CertificateSearch.all(ofIdentities: true, in: keychains, passing: &locked)
        for recipient in envelope.recipients {
            guard let one = identities.first(where: { recipient.reference.isMeant($0.certificate) }),
                let item = one.key,
                let key = try ToolMessageKey(item, in: one.keychain)
            else { continue }
            return try SecurityFailure.translating(exchange: "CMSDecoderFinalizeMessage") {
                () throws(ExchangeFailure) in
                let content = envelope.content(openedWith: try key.contentKey(recipient.method, size: envelope.keySize))
                guard let content else { throw ExchangeFailure(.undecodable, "the message cannot be decrypted") }
                return content
            }
        }
        throw locked.failure ?? .notFound("CMSDecoderFinalizeMessage")
    }
}

/// A private key of a keychain at work on messages, there or here.
private struct ToolMessageKey {
    private let key: CryptoKey
    private let item: FoundItem
    private let keychain: ToolKeychain

    /// nil if the item's bytes are not a key.
    init?(_ item: FoundItem, in keychain: ToolKeychain) throws(SecurityFailure) {
        let request = MatchRequest(
            predicate: .only(.item(.key, item.persistentID)), returning: [.attributes, .reference], limit: .single)
        let found = try Unlocking.retrying(keychain, "SecIdentityCopyPrivateKey") { () throws(CommandError) in
            try keychain.match(request, of: .programs)
        }
        guard case .item(let whole)? = found.first, let key = KeychainKey(whole, in: keychain)?.key else { return nil }
        (self.key, self.item, self.keychain) = (key, whole, keychain)
    }

    func signature(of bytes: [UInt8], _ hash: SignedMessageDraft.Hash) throws(ExchangeFailure) -> [UInt8] {
        let name: String
        switch (key.type, hash) {
        case (.rsa, .sha1): name = "algid:sign:RSA:message-PKCS1v15:SHA1"
        case (.rsa, .sha256): name = "algid:sign:RSA:message-PKCS1v15:SHA256"
        case (.ec, .sha1): name = "algid:sign:ECDSA:message-X962:SHA1"
        case (.ec, .sha256): name = "algid:sign:ECDSA:message-X962:SHA256"
        default: throw ExchangeFailure(.unsupportedAlgorithm)
        }
        return try unsafe bytes.lendingBytes { (bytes) throws(ExchangeFailure) in
            if item.keptKey != nil {
                let signature = try perform(.sign(unsafe SecretValue(copying: bytes), algorithm: name))
                return unsafe signature.withUnsafeBytes { unsafe Array($0) }
            }
            guard let algorithm = KeyAlgorithm(name) else { throw ExchangeFailure(.unsupportedAlgorithm) }
            return try using { () throws(KeyError) in try unsafe key.sign(bytes, with: algorithm) }
        }
    }

    /// The key of a message's content.
    ///
    /// What a changed message was decrypted to is told to nobody: its content cannot be
    /// decrypted, is all that is said.
    func contentKey(_ method: EnvelopedMessage.Method, size: Int) throws(ExchangeFailure) -> SecretBytes {
        let wrong = ExchangeFailure(.undecodable, "the message cannot be decrypted")
        switch method {
        case .rsa(let encrypted): return try decrypted(encrypted, "algid:encrypt:RSA:PKCS1", size)
        case .oaep(let hash, let encrypted):
            return try decrypted(encrypted, "algid:encrypt:RSA:OAEP:SHA\(hash == .sha1 ? 1 : hash.rawValue)", size)
        case .agreement(let agreement):
            let name = "algid:keyexchange:ECDH:KDFX963:SHA\(agreement.hash == .sha1 ? 1 : agreement.hash.rawValue)"
            let derived = try agreed(agreement, name)
            guard let unwrapped = agreement.unwrap(derived) else { throw wrong }
            return unwrapped
        case .unsupported: throw ExchangeFailure(.unsupportedAlgorithm)
        }
    }

    private func agreed(_ agreement: EnvelopedMessage.Agreement, _ name: String) throws(ExchangeFailure) -> SecretBytes
    {
        if item.keptKey != nil {
            let secret = try perform(
                .exchange(
                    publicKey: agreement.senderKey, algorithm: name, size: agreement.keySize,
                    sharedInfo: agreement.sharedInfo))
            return unsafe secret.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
        }
        guard let algorithm = KeyAlgorithm(name) else { throw ExchangeFailure(.unsupportedAlgorithm) }
        return try using { () throws(KeyError) in
            try key.exchangeKeys(
                with: try CryptoKey(.ec, .public, representation: agreement.senderKey), algorithm,
                requestedSize: agreement.keySize, sharedInfo: agreement.sharedInfo)
        }
    }

    private func decrypted(_ bytes: [UInt8], _ name: String, _ size: Int) throws(ExchangeFailure) -> SecretBytes {
        var plain: SecretBytes?
        if item.keptKey != nil {
            do throws(ExchangeFailure) {
                let secret = try perform(.decrypt(SecretValue(copying: bytes), algorithm: name))
                plain = unsafe secret.withUnsafeBytes { unsafe SecretBytes(copying: $0) }
            } catch {
                // A locked keychain is no secret of the message's; what it was decrypted to is.
                guard error.error.reason == .parameter else { throw error }
            }
        } else if let algorithm = KeyAlgorithm(name) {
            unsafe bytes.lendingBytes { bytes in unsafe plain = try? key.decrypt(bytes, with: algorithm) }
        }
        guard let plain, plain.count == size else {
            throw ExchangeFailure(.undecodable, "the message cannot be decrypted")
        }
        return plain
    }

    private func perform(_ task: UseKeyRequest.Task) throws(ExchangeFailure) -> SecretValue {
        let request = UseKeyRequest(
            key: .stored(item.persistentID, publicKey: item.keptKey?.publicKey), task: task)
        do throws(KeychainError) { return try keychain.session(of: .programs).useKey(request) } catch {
            throw ExchangeFailure(error)
        }
    }

    private func using<Result: ~Copyable>(
        _ body: () throws(KeyError) -> Result
    ) throws(ExchangeFailure) -> Result {
        do throws(KeyError) { return try body() } catch { throw ExchangeFailure(KeychainError(error)) }
    }
}

extension Certificate {
    fileprivate func hasAddress(_ address: String) -> Bool {
        emailAddresses.contains { $0.lowercased() == address.lowercased() }
    }
}
