// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
package import KeychainModel

/// What lets a device join without a person: a circle, an entry of its log, and a secret.
///
/// The secret gives a key whose public half's hash is in the invite. It signs circle and card, so every member can check who
/// was invited, and no sponsor can use an invite for another device. Nothing is ever sealed to it: with the token and all that
/// the server has, nothing opens.
package struct JoinToken: ~Copyable, Sendable {
    package let circle: CircleID
    package let tip: LogPlace
    private let secret: SecretBytes

    /// `secret` is `secretSize` random bytes; the entry is of a log that has the invite, or is about to.
    package init(circle: CircleID, tip: LogPlace, secret: consuming SecretBytes) throws(JoiningError) {
        guard secret.count == JoinToken.secretSize, tip != .none, tip.hash.count == Digest.sha256Size else {
            throw .malformed
        }
        (self.circle, self.tip) = (circle, tip)
        self.secret = secret
    }

    /// The invite that a secret keeps, for an owner to append.
    package static func invite(
        for secret: borrowing SecretBytes, roles: Roles, expiry: Double, sealedName: [UInt8]
    ) throws(JoiningError) -> Invite {
        guard secret.count == secretSize, let expiry = Int64(exactly: expiry.rounded(.down)) else { throw .malformed }
        return Invite(id: try invite(of: secret), roles: roles, expiry: expiry, sealedName: sealedName)
    }

    /// The name of the invite in the log.
    package borrowing func invite() throws(JoiningError) -> [UInt8] { try JoinToken.invite(of: secret) }

    private static func invite(of secret: borrowing SecretBytes) throws(JoiningError) -> [UInt8] {
        try JoiningMail.digest(of: key(of: secret).publicKey)
    }

    /// What the device posts: its card, and the proofs that the card is its own and the token too.
    package borrowing func request(by device: some CircleDevice) throws(JoiningError) -> [UInt8] {
        let key = try JoinToken.key(of: secret)
        let circle = circle
        return try JoiningError.of { () throws(CircleError) in
            let content = try Membership.inviteProof(of: device.card, in: circle)
            let digest = try CircleCoding.digest(of: content)
            let proof: [UInt8]
            do throws(CryptoError) {
                proof = try P256.signature(of: digest, with: key.privateKey, publicKey: key.publicKey)
            } catch { throw .crypto(error) }
            let request = try CircleCoding.encode(
                .array([
                    .string(JoinToken.requestTitle), .data(try device.card.encoded()), .data(circle.bytes),
                    .data(key.publicKey), .data(proof),
                ]))
            return try SignedBody(request, by: device).encoded()
        }
    }

    /// What the device knows of its circle by the token.
    package var joined: Joined { Joined(circle: circle, tip: tip, heads: [], member: nil) }

    /// What a sponsor appends for a request in the box: whether it counts, the log says.
    package static func admission(for bytes: [UInt8], in log: CircleLog) throws(JoiningError) -> LogAction {
        let (_, card, read) = try JoiningMail.read(requestTitle, bytes)
        let (named, publicKey, proof) = try JoiningError.of { () throws(CircleError) in
            var parts = read
            let request = (
                try parts.circle(), try parts.data(exactly: P256.publicKeySize),
                try parts.data(atMost: LogAction.largestSignature)
            )
            try parts.end()
            return request
        }
        guard named == log.circle else { throw .foreign }
        return .admit(card, .invite(publicKey: publicKey, proof: proof))
    }

    private static func key(of secret: borrowing SecretBytes) throws(JoiningError) -> P256.Key {
        do throws(CryptoError) { return try P256.key(of: secret, for: "llavero token") } catch {
            throw .circle(.crypto(error))
        }
    }

    package static let secretSize = 16
    private static let requestTitle = "llavero joining token"
}

/// The token as text: a secret of its own.
extension JoinToken {
    /// 120 characters of `JoinAlphabet`.
    package borrowing func text() throws(JoiningError) -> SecretBytes {
        let head =
            [JoinToken.version] + circle.bytes + (0..<8).map { UInt8(truncatingIfNeeded: tip.number >> (56 - 8 * $0)) }
            + tip.hash
        let body = unsafe SecretBytes(count: JoinToken.size) { buffer in
            unsafe buffer.copyBytes(from: head)
            unsafe secret.withUnsafeBytes { secret in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[head.count...]).copyMemory(from: secret)
            }
        }
        let check = try JoinToken.check(body)
        return try unsafe body.withUnsafeBytes { (body) throws(JoiningError) in
            guard body.count == JoinToken.size else { throw .notOpen }
            return unsafe SecretBytes(count: JoinToken.textSize) { text in
                for index in 0..<JoinToken.textSize {
                    var symbol: UInt8 = 0
                    for place in index * 5..<index * 5 + 5 {
                        let byte = unsafe place / 8 < body.count ? body[place / 8] : check[place / 8 - body.count]
                        symbol = symbol << 1 | (byte >> UInt8(7 - place % 8)) & 1
                    }
                    unsafe text[index] = JoinAlphabet.letter(symbol)
                }
            }
        }
    }

    /// A token that was pasted; `malformed` when a letter is wrong.
    package init(pasted text: UnsafeRawBufferPointer) throws(JoiningError) {
        var letters = 0
        let bytes = try unsafe SecretBytes(count: JoinToken.size + JoinToken.checkSize) {
            (buffer) throws(JoiningError) in
            for index in text.indices {
                let byte = unsafe text[index]
                if JoinAlphabet.isSpace(byte) { continue }
                guard let symbol = JoinAlphabet.symbol(byte), letters < JoinToken.textSize else { throw .malformed }
                for bit in 0..<5 where symbol & (16 >> UInt8(bit)) != 0 {
                    let place = letters * 5 + bit
                    unsafe buffer[place / 8] |= 0x80 >> UInt8(place % 8)
                }
                letters += 1
            }
        }
        guard letters == JoinToken.textSize else { throw .malformed }
        let body = unsafe bytes.withUnsafeBytes { bytes in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(JoinToken.size)))
        }
        let check = unsafe bytes.withUnsafeBytes { unsafe Array($0.suffix(JoinToken.checkSize)) }
        guard try JoinToken.check(body) == check else { throw .malformed }
        let head = unsafe body.withUnsafeBytes { unsafe Array($0.dropLast(JoinToken.secretSize)) }
        let secret = unsafe body.withUnsafeBytes { body in
            unsafe SecretBytes(copying: UnsafeRawBufferPointer(rebasing: body.suffix(JoinToken.secretSize)))
        }
        guard head.count == JoinToken.size - JoinToken.secretSize, head[0] == JoinToken.version,
            let circle = CircleID(Array(head[1..<17]))
        else { throw .malformed }
        let number = head[17..<25].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number > 0 else { throw .malformed }
        try self.init(
            circle: circle, tip: LogPlace(number: number, hash: Array(head[25...])), secret: secret)
    }

    private static func check(_ body: borrowing SecretBytes) throws(JoiningError) -> [UInt8] {
        do throws(CryptoError) {
            return try unsafe body.withUnsafeBytes { (body) throws(CryptoError) in
                Array(try unsafe Digest.sha256(body).prefix(checkSize))
            }
        } catch { throw .circle(.crypto(error)) }
    }

    private static let version: UInt8 = 1
    private static let size = 1 + CircleID.size + 8 + Digest.sha256Size + secretSize
    private static let checkSize = 2
    private static let textSize = (size + checkSize) * 8 / 5
}
