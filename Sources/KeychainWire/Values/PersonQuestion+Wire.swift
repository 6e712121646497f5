// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension PersonQuestion: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            title: try fields.question(), description: try fields.question(), prompt: try fields.question(),
            error: try fields.optionalQuestion(), confirms: try fields.boolean(),
            okTitle: try fields.optionalQuestion(), cancelTitle: try fields.optionalQuestion(),
            timeout: UInt32(try fields.number(in: 0...Int64(PersonQuestion.longestTimeout))))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        let texts = [title, description, prompt] + [error, okTitle, cancelTitle].compactMap(\.self)
        guard texts.allSatisfy({ $0.utf8.count <= PersonQuestion.longestText }),
            timeout <= PersonQuestion.longestTimeout
        else { throw .tooLarge }
        for text in [title, description, prompt] { writer.string(text) }
        try writer.write(error)
        writer.boolean(confirms)
        try writer.write(okTitle)
        try writer.write(cancelTitle)
        writer.number(Int64(timeout))
    }
}

extension PersonAnswer: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1:
            let secret: SecretValue = try fields.next()
            guard secret.count <= PersonAnswer.longestSecret else { throw .outOfRange }
            self = .secret(secret)
        case 2: self = .refused
        case 3: self = .timedOut
        case 4: self = .notAvailable
        case 5: self = .failed
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .secret(let secret):
            guard secret.count <= PersonAnswer.longestSecret else { throw .tooLarge }
            try writer.write(1, secret)
        case .refused: writer.number(2)
        case .timedOut: writer.number(3)
        case .notAvailable: writer.number(4)
        case .failed: writer.number(5)
        }
    }
}

extension WireFields {
    fileprivate mutating func question() throws(WireError) -> String {
        try string(atMost: PersonQuestion.longestText)
    }

    fileprivate mutating func optionalQuestion() throws(WireError) -> String? {
        try isNull() ? nil : try question()
    }
}
