// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension AuthenticateRequest: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) { self.init(try fields.next(), try fields.next()) }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(wish)
        try writer.write(terms)
    }
}

extension AuthenticateRequest.Wish: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .biometry
        case 2: self = .presence
        case 3: self = .accessControl(try fields.next(), try fields.next(), isForNew: try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .biometry: writer.number(1)
        case .presence: writer.number(2)
        case .accessControl(let control, let operation, let isForNew):
            writer.number(3)
            try writer.write(control)
            try writer.write(operation)
            try writer.write(isForNew)
        }
    }
}

/// Everything but the program's own object, which stays with the program: nil on arrival.
///
/// The words are the program's, and are shown as such; a message bounds them.
extension AuthenticationTerms: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let context: AuthenticationContextID? = try fields.next()
        let interaction: Interaction = try fields.next()
        let request: AuthenticationRequestID? = try fields.next()
        self.init(
            context: context, interaction: interaction, reason: try fields.next(), cancelTitle: try fields.next(),
            holder: nil)
        self.request = request
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(context)
        try writer.write(interaction)
        try writer.write(request)
        try writer.write(reason)
        try writer.write(cancelTitle)
    }

    /// Only searches may skip items that require a prompt, changes may not.
    func checkIsForChange() throws(WireError) {
        guard interaction != .skipping else { throw .contradiction }
    }
}

extension AuthenticationTerms.Interaction: WireNumbered {
    static let numbered: [AuthenticationTerms.Interaction] = [.allowed, .forbidden, .skipping]

    var wireNumber: Int64 {
        switch self {
        case .allowed: 1
        case .forbidden: 2
        case .skipping: 3
        }
    }
}

extension AuthenticationCredential.Kind: WireNumbered {
    static let numbered: [AuthenticationCredential.Kind] = [.applicationPassword, .passcode]

    var wireNumber: Int64 {
        switch self {
        case .applicationPassword: 1
        case .passcode: 2
        }
    }
}

extension AuthenticationCredential {
    /// A credential of the kind, whose bytes are all that is said of it.
    init(_ kind: Kind, _ secret: SecretValue) {
        switch kind {
        case .applicationPassword: self = .applicationPassword(secret)
        case .passcode: self = .passcode(secret)
        }
    }

    var secret: SecretValue {
        switch self {
        case .applicationPassword(let secret), .passcode(let secret): secret
        }
    }
}

extension AuthenticationMeans: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(isPasscodeSet: try fields.next(), fingers: try fields.next(), hasReader: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(isPasscodeSet)
        try writer.write(fingers)
        try writer.write(hasReader)
    }
}

/// A caller that knows it may use what was shown to the context: it is as good as what the context has.
extension AuthenticationContextID: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let (high, low) = (try fields.number(), try fields.number())
        self.init(high: UInt64(bitPattern: high), low: UInt64(bitPattern: low))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.number(Int64(bitPattern: high))
        writer.number(Int64(bitPattern: low))
    }
}

extension AuthenticationRequestID: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> AuthenticationRequestID {
        AuthenticationRequestID(name: try fields.next())
    }

    func write(to writer: inout WireWriter) throws(WireError) { try writer.write(name) }
}

/// What the program says of it; who asks, the daemon knows.
extension ClientTerminal: WireElement {
    static func read(from fields: inout WireFields) throws(WireError) -> ClientTerminal {
        guard let terminal = ClientTerminal(try fields.array(atMost: ClientTerminal.names.count)) else {
            throw .contradiction
        }
        return terminal
    }

    func write(to writer: inout WireWriter) throws(WireError) { try writer.array(variables) }
}

extension ClientTerminal.Variable: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(name: try fields.next(), value: try fields.string(atMost: ClientTerminal.longestValue))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(name)
        try writer.write(value)
    }
}

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
