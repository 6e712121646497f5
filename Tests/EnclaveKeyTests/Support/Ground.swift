// SPDX-License-Identifier: Apache-2.0

import TestSwtpm
import Testing

/// Where a keychain is kept, and what its enclave is.
enum Ground: String, Sendable, Codable, CaseIterable, CustomTestStringConvertible {
    case memory = "software, in memory"
    case folder = "software, in a folder"
    case tpm = "a TPM, in a folder"

    var testDescription: String { rawValue }

    /// Those that this build and this machine have.
    static let all = allCases.filter { $0 != .tpm || hasTPM }
    /// Those of them that leave files.
    static let onDisk = all.filter { $0 != .memory }

    #if TPM
        static let hasTPM = SwtpmProcess.isInstalled
    #else
        static let hasTPM = false
    #endif
}

#if TPM
    @Suite struct GroundTests {
        @Test("a build that promises a TPM tests one")
        func promise() {
            #expect(Ground.hasTPM)
        }
    }
#endif
