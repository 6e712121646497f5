// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite struct ConformanceTests {
    @Test(
        "the four functions answer as the vectors say, whichever way they are reached",
        arguments: VectorFolder.sharedRows, WayInKind.allCases)
    func answers(row: VectorRow, way: WayInKind) throws {
        try RowRunner.run(row, through: way)
    }
}
