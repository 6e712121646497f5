// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

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
    var wireNumber: Int64 {
        switch self {
        case .parameter: 1
        case .noSuchAttribute: 2
        case .noSuchClass: 3
        case .duplicateItem: 4
        case .itemNotFound: 5
        case .interactionNotAllowed: 6
        case .authenticationFailed: 7
        case .cancelled: 8
        case .missingEntitlement: 9
        case .notAvailable: 10
        case .readOnly: 11
        case .unimplemented: 12
        case .undecodable: 13
        case .inputOutput: 14
        case .outOfMemory: 15
        case .internalError: 16
        case .handedOver: 17
        case .noSuchKeychain: 18
        case .duplicateKeychain: 19
        case .noDaemon: 20
        }
    }
}
