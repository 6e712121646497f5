// SPDX-License-Identifier: Apache-2.0

/// What keeps the device's own key.
package enum EnclaveKind: UInt8, Sendable, CaseIterable {
    case software = 1
    case tpm = 2
}

/// What diagnostics say of an enclave.
package struct EnclaveDescription: Sendable, Equatable {
    package let kind: EnclaveKind
    /// One sentence for people: what guards the keys, and what does not.
    package let summary: String
    /// What is wrong or weaker than it could be; empty when nothing is.
    package let warnings: [String]

    package init(kind: EnclaveKind, summary: String, warnings: [String] = []) {
        self.kind = kind
        self.summary = summary
        self.warnings = warnings
    }
}
