// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

@Suite struct SQLiteForkTests {
    @Test("a child finds its parent's connection abandoned, and a new one works while the parent's goes on")
    func child() throws {
        let folder = try TestFolder()
        let (ending, lines) = try HelperProcess.run(
            ["sqlite-fork", folder.file("a.db")], environment: [:], in: folder)
        #expect(ending == .exited(0))
        #expect(lines == ["child 0", "rows 2"])
    }
}
