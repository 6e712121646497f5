// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel

/// Names of hosts and addresses go to OpenSSL as C strings at some point: none has a zero byte in it.
extension TrustPolicy: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .basic
        case 2: self = .ssl(try fields.next(), hostName: try TrustPolicy.name(&fields))
        case 3: self = .email(try TrustPolicy.name(&fields))
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
