// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct ConformanceTests {
    @Test(
        "the four functions answer as the vectors say, whichever way they are reached",
        arguments: VectorFolder.sharedRows, WayInKind.software)
    func answers(row: VectorRow, way: WayInKind) throws {
        try RowRunner.run(row, through: way)
    }

    @Test(
        "what access control is about holds whatever keeps the keys", .enabled(if: WayInKind.hasTPM),
        arguments: VectorFolder.sharedAccessControlRows)
    func answersOnTPM(row: VectorRow) throws {
        try RowRunner.run(row, through: .swiftOnTPM)
    }

    #if TPM
        @Test("a build that promises a TPM tests one")
        func promise() {
            #expect(WayInKind.hasTPM)
        }
    #endif
}
