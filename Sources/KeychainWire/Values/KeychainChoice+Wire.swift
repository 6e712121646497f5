// SPDX-License-Identifier: Apache-2.0

internal import KeychainRequest

extension KeychainChoice: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(try fields.next(), claimsPasswords: try fields.next(), makesIt: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(keychain)
        try writer.write(claimsPasswords)
        try writer.write(makesIt)
    }
}

extension KeychainAddress: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        switch try fields.number() {
        case 1: self = .usual
        case 2: self = .named(try fields.string(atMost: KeychainChoice.longestPath))
        case 3:
            let root = try fields.string(atMost: KeychainChoice.longestPath)
            self = .folder(root: root, name: try fields.string(atMost: KeychainChoice.longestPath))
        default: throw .unknownNumber
        }
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        switch self {
        case .usual: writer.number(1)
        case .named(let name): try writer.write(2, name)
        case .folder(let root, let name):
            try writer.write(3, root)
            try writer.write(name)
        }
    }
}
