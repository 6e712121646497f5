// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

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
