// SPDX-License-Identifier: Apache-2.0

package import KeychainAudit
package import KeychainModel
package import KeychainRequest

/// What the daemon answers: every kind of result, and failure.
package enum WireReply: Sendable {
    case nothing
    case item(FoundItem?)
    case found([Found])
    case generatedKey(GeneratedKey)
    case secret(SecretValue)
    case means(AuthenticationMeans)
    case boolean(Bool)
    case failure(KeychainError)
    case keybag(KeybagReply)
    case texts([String])
    case changes(KeychainChanges)
    case audit(AuditAnswer)
    case checked(CheckedPart)
    /// For an agent, who answers it before the next one comes.
    case question(PersonQuestion)
    /// The answer to the last question is no longer wanted.
    case withdrawn
    case page(MatchPage)
}

extension WireReply: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .nothing
        case 2: self = .item(try fields.next())
        case 3: self = .found(try fields.array(atMost: WireLimits.results))
        case 4: self = .generatedKey(try fields.next())
        case 5: self = .secret(try fields.next())
        case 6: self = .means(try fields.next())
        case 7: self = .boolean(try fields.next())
        case 8: self = .failure(try fields.next())
        case 9: self = .keybag(try fields.next())
        case 10: self = .texts(try fields.array(atMost: WireLimits.results))
        case 11: self = .changes(try fields.next())
        case 12: self = .audit(try fields.next())
        case 13: self = .checked(try fields.next())
        case 14: self = .question(try fields.next())
        case 15: self = .withdrawn
        case 16: self = .page(try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .nothing: writer.number(1)
        case .item(let item): try writer.write(2, item)
        case .found(let found):
            guard found.count <= WireLimits.results else { throw .tooLarge }
            writer.number(3)
            try writer.array(found)
        case .generatedKey(let key): try writer.write(4, key)
        case .secret(let secret): try writer.write(5, secret)
        case .means(let means): try writer.write(6, means)
        case .boolean(let value): try writer.write(7, value)
        case .failure(let error): try writer.write(8, error)
        case .keybag(let reply): try writer.write(9, reply)
        case .texts(let texts):
            writer.number(10)
            try writer.array(texts)
        case .changes(let changes): try writer.write(11, changes)
        case .audit(let answer): try writer.write(12, answer)
        case .checked(let part): try writer.write(13, part)
        case .question(let question): try writer.write(14, question)
        case .withdrawn: writer.number(15)
        case .page(let page): try writer.write(16, page)
        }
    }
}

/// Why a request failed, in words that hold no value; they are ours on both sides, and are not read for sense.
extension KeychainError: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let reason: Reason = try fields.next()
        let text = try fields.string(atMost: WireLimits.errorText)
        let subject: String? = try fields.next()
        guard (subject?.utf8.count ?? 0) <= WireLimits.errorText else { throw .outOfRange }
        let code: Int64? = try fields.next()
        let seconds: Int64? = try fields.next()
        var retryAfter: UInt32?
        if let seconds {
            guard let short = UInt32(exactly: seconds) else { throw .outOfRange }
            retryAfter = short
        }
        self.init(relaying: reason, text, subject: subject, code: code, retryAfter: retryAfter)
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(reason)
        writer.string(text)
        try writer.write(subject)
        try writer.write(code)
        try writer.write(retryAfter.map { Int64($0) })
    }
}

extension KeychainError.Reason: WireNumbered {
    var wireNumber: Int64 { number }
}
