// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Many processes, each with many threads, on one folder that is not there yet.
@Suite struct ManyProcessesTests {
    @Test("eight processes of four threads race to make a keychain, work on it, fork in between, and lose nothing")
    func work() throws {
        let seconds = ProcessInfo.processInfo.environment["KEYCHAIN_SECONDS"].flatMap { Double($0) } ?? 5
        let folder = try TestFolder()
        let journals = try folder.makeFolder("journals")
        let environment = ["LLAVERO_HOME": folder.file("not there yet/keychains")]
        let workers = try (0..<8).map { index in
            // Half of them fork three times without exec while their threads work.
            let forks = index % 2 == 0 ? 3 : 0
            return try HelperProcess(
                ["work", "p\(index)", "4", "\(seconds)", "\(forks)", journals], environment: environment,
                output: folder.file("output-\(index)"))
        }
        for worker in workers {
            let ending = worker.wait(seconds: seconds + EventLimit.seconds)
            #expect(ending == .exited(0), "\(ending) \(worker.lines)")
        }
        let (ending, lines) = try HelperProcess.run(["work-verify", journals], environment: environment, in: folder)
        #expect(ending == .exited(0), "\(lines.joined(separator: "\n"))")
        let names = try #require(TestFolder.names(in: journals))
        // Of each process its main thread and four more; of each forked one two.
        #expect(names.count == 8 * 5 + 4 * 3 * 2)
        let root = try #require(environment["LLAVERO_HOME"])
        #expect(TestFolder.names(in: root) == ["login"], "a race to make a keychain left something behind")
        let calls = lines.last?.split(separator: " ").last.flatMap { Double($0) } ?? 0
        print("\(Int(calls)) calls by 8 processes of 4 threads, \(Int(calls / seconds)) a second")
    }

    @Test("many processes that start at once on a missing keychain all get the same one", arguments: 0..<5)
    func births(round: Int) throws {
        let folder = try TestFolder()
        let environment = ["LLAVERO_HOME": folder.file("root")]
        let makers = try (0..<8).map { index in
            try HelperProcess(
                ["probe", "add=\(index)"], environment: environment, output: folder.file("output-\(index)"))
        }
        for maker in makers {
            #expect(maker.wait() == .exited(0))
            #expect(maker.lines == ["add 0"])
        }
        let (_, lines) = try HelperProcess.run(["probe", "list", "check"], environment: environment, in: folder)
        #expect(lines == ["list 0 0 1 2 3 4 5 6 7", "check clean"])
        #expect(TestFolder.names(in: folder.file("root")) == ["login"])
    }
}
