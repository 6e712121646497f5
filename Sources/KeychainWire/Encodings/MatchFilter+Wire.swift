// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension MatchFilter: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .hostOrSubdomain(try fields.string(atMost: WireLimits.pattern))
        case 2: self = .keyValid(on: try fields.next())
        case 3: self = .text(try MatchFilter.attribute(&fields), try fields.next())
        case 4: self = .certificate(try fields.next())
        default: throw .unknownNumber
        }
    }

    private static func attribute(_ fields: inout WireFields) throws(WireError) -> Attribute {
        let number = try fields.number()
        guard let raw = UInt32(exactly: number), let attribute = Attribute(rawValue: raw) else {
            throw .unknownNumber
        }
        return attribute
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .hostOrSubdomain(let host):
            writer.number(1)
            writer.string(host)
        case .keyValid(let date):
            writer.number(2)
            try writer.write(date)
        case .text(let attribute, let pattern):
            writer.number(3)
            writer.number(Int64(attribute.rawValue))
            try writer.write(pattern)
        case .certificate(let filter):
            writer.number(4)
            try writer.write(filter)
        }
    }

    /// Throws `.contradiction` for a condition that the parser makes for no item of the class.
    func check(for queriedClass: QueriedClass) throws(WireError) {
        let fits =
            switch self {
            case .hostOrSubdomain: queriedClass == .stored(.internetPassword)
            case .keyValid: queriedClass == .stored(.key)
            case .text(let attribute, let pattern):
                attribute.isKnown(to: queriedClass) && attribute.kind == .blob && pattern.position == .whole
                    && !pattern.matching.ignored.isEmpty
            case .certificate: queriedClass == .stored(.certificate) || queriedClass == .identity
            }
        guard fits else { throw .contradiction }
    }
}

/// The text as it is after what does not count was taken away, which taking it away again does not change.
///
/// Searching costs the length of the pattern for every character, while a connection is borrowed: it has a limit.
extension TextPattern: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        let text = try fields.string(atMost: WireLimits.pattern)
        let position: TextMatching.Position = try fields.next()
        let ignored = TextMatching.Ignored(rawValue: UInt8(try fields.number(in: 0...7)))
        self.init(text, at: position, matching: TextMatching(ignoring: ignored))
        guard self.text.hasSameBytes(as: text) else { throw .malformed }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        writer.string(text)
        try writer.write(position)
        writer.number(Int64(matching.ignored.rawValue))
    }
}

extension TextMatching.Position: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .anywhere: 1
        case .start: 2
        case .end: 3
        case .whole: 4
        }
    }
}

/// Names of issuers are read where they are compared, strictly; here they are bytes.
extension CertificateFilter: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .valid(on: try fields.next())
        case 2: self = .emailAddress(try fields.string(atMost: WireLimits.pattern))
        case 3: self = .subject(try fields.next())
        case 4:
            let names: [[UInt8]] = try fields.array(atMost: WireLimits.issuers)
            // The parser makes no condition of a list without names.
            guard !names.isEmpty else { throw .contradiction }
            self = .issued(under: names)
        case 5: self = .satisfies(try fields.next(), on: try fields.next())
        case 6: self = .trusted(on: try fields.next())
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .valid(let date):
            writer.number(1)
            try writer.write(date)
        case .emailAddress(let address):
            writer.number(2)
            writer.string(address)
        case .subject(let pattern):
            writer.number(3)
            try writer.write(pattern)
        case .issued(let names):
            writer.number(4)
            try writer.array(names)
        case .satisfies(let policy, let date):
            writer.number(5)
            try writer.write(policy)
            try writer.write(date)
        case .trusted(let date):
            writer.number(6)
            try writer.write(date)
        }
    }
}

/// Names of hosts and addresses go to OpenSSL as C strings at some point: none has a zero byte in it.
extension TrustPolicy: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .basic
        case 2: self = .ssl(try fields.next(), hostName: try TrustPolicy.name(&fields))
        case 3: self = .email(try TrustPolicy.name(&fields))
        case 4: self = .use(try fields.next(), try fields.next(), name: try TrustPolicy.name(&fields))
        default: throw .unknownNumber
        }
    }

    private static func name(_ fields: inout WireFields) throws(WireError) -> String? {
        guard let name: String = try fields.next() else { return nil }
        guard name.utf8.count <= WireLimits.pattern, !name.contains(byte: 0) else { throw .outOfRange }
        return name
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .basic: writer.number(1)
        case .ssl(let side, let hostName):
            writer.number(2)
            try writer.write(side)
            try writer.write(hostName)
        case .email(let address):
            writer.number(3)
            try writer.write(address)
        case .use(let use, let side, let name):
            writer.number(4)
            try writer.write(use)
            try writer.write(side)
            try writer.write(name)
        }
    }
}

extension TrustPolicy.Use: WireNumbered {
    static let numbered = TrustPolicy.Use.allCases

    var wireNumber: Int64 {
        switch self {
        case .codeSigning: 1
        case .timeStamping: 2
        case .extensibleAuthentication: 3
        case .ipsec: 4
        case .kerberos: 5
        }
    }
}

extension TrustPolicy.Side: WireNumbered {
    static let numbered: [TrustPolicy.Side] = [.server, .client]

    var wireNumber: Int64 {
        switch self {
        case .server: 1
        case .client: 2
        }
    }
}
