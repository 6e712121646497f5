// SPDX-License-Identifier: Apache-2.0

import TestProcesses
import Testing

/// A process with an open keychain forks without exec, and both halves go on.
@Suite struct ForkTests {
    @Test(
        "both halves keep what they were told is stored, whichever ends or begins first",
        arguments: [("parent-first", 41), ("child-first", 51), ("cold", 5)])
    func bothHalves(order: String, count: Int) throws {
        let folder = try TestFolder()
        let environment = ["LLAVERO_HOME": folder.file("root")]
        let (ending, lines) = try HelperProcess.run(["fork", order], environment: environment, in: folder)
        #expect(ending == .exited(0), "\(lines)")
        let added = Set(lines.filter { $0.hasPrefix("added ") }.map { $0.dropFirst("added ".count) })
        #expect(added.count == count)

        let (_, found) = try HelperProcess.run(
            ["probe", "service=fork", "list", "check"], environment: environment, in: folder)
        try #require(found.count == 2)
        let there = Set(found[0].split(separator: " ").dropFirst(2))
        #expect(added.subtracting(there).sorted() == [], "acknowledged and lost")
        #expect(there.subtracting(added).sorted() == [])
        #expect(found[1] == "check clean")
    }
}
