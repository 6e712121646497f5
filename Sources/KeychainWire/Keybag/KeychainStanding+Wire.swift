// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest

extension KeychainStanding: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(
            lockState: try fields.next(), enclave: try fields.next(), eraseAfter: try fields.next(),
            attempts: try fields.next(), hasRecoveryKey: try fields.next(), generation: try fields.next(),
            isResealing: try fields.next(), damagedClasses: try fields.array(atMost: Accessibility.allCases.count),
            format: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(lockState)
        try writer.write(enclave)
        try writer.write(eraseAfter)
        try writer.write(attempts)
        try writer.write(hasRecoveryKey)
        try writer.write(generation)
        try writer.write(isResealing)
        try writer.array(damagedClasses)
        try writer.write(format)
    }
}

extension KeychainStanding.Attempts: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(failures: try fields.next(), wait: try fields.next(), isErased: try fields.next())
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(failures)
        try writer.write(wait)
        try writer.write(isErased)
    }
}

extension EnclaveDescription: WireStructure {
    init(parts fields: inout WireFields) throws(WireError) {
        self.init(kind: try fields.next(), summary: try fields.next(), warnings: try fields.array(atMost: 1000))
    }

    func writeParts(to writer: inout WireWriter) throws(WireError) {
        try writer.write(kind)
        try writer.write(summary)
        try writer.array(warnings)
    }
}

extension LockState: WireNumbered {
    var wireNumber: Int64 {
        switch self {
        case .noPasscode: 1
        case .beforeFirstUnlock: 2
        case .unlocked: 3
        case .locked: 4
        }
    }
}
