// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import Testing

/// Keychains on a disk that has become full, and on one that has turned read-only.
@Suite(.serialized) struct FullDiskTests {
    private static let accounts = (1...30).map { "add=a\($0)" }.joined(separator: " ")

    @Test("on a full disk items are found, listed and removed, and nothing is stored; with room again they are stored")
    func closed() throws {
        guard let disk = try SmallDisk() else { return }
        #expect(try disk.probe(Self.accounts).allSatisfy { $0 == "add 0" })
        try disk.fill()
        try Self.use(disk, left: 30)
    }

    @Test("the same with a log beside the database, as a killed process leaves it")
    func withLog() throws {
        guard let disk = try SmallDisk() else { return }
        _ = try disk.probe(Self.accounts, "killed")
        // Whoever has to begin without an index of the log finds no room for one.
        #expect(try disk("cd $LLAVERO_HOME/login && test -s keychain.db-wal && rm -f keychain.db-shm") == [])
        try disk.fill()
        try Self.use(disk, left: 30)
    }

    @Test("a keychain of earlier software, without a reserve, is read on a full disk")
    func withoutReserve() throws {
        guard let disk = try SmallDisk() else { return }
        #expect(try disk.probe(Self.accounts).allSatisfy { $0 == "add 0" })
        #expect(try disk("rm -f $LLAVERO_HOME/login/reserve $LLAVERO_HOME/login/queue") == [])
        try disk.fill()
        #expect(try disk.probe("find=a1", "add=new") == ["find 0 value of a1", "add -25291"])
        try disk.empty()
        // The next writer takes the room.
        #expect(try disk.probe("add=new") == ["add 0"])
        #expect(try disk("stat -c %s $LLAVERO_HOME/login/reserve") == ["1048576"])
    }

    private static func use(_ disk: SmallDisk, left count: Int) throws {
        #expect(try disk.probe("find=a1", "find=a2") == ["find 0 value of a1", "find 0 value of a2"])
        #expect(try disk.probe("list").first?.split(separator: " ").count == 2 + count)
        #expect(try disk.probe("check") == ["check clean"])
        let refused = try disk.probe("add=new", "why", "update=a3")
        #expect(refused.first == "add -25291" && refused.last == "update -25291", "\(refused)")
        #expect(refused.dropFirst().first?.contains("the disk is full") == true, "\(refused)")
        for number in 1...20 {
            #expect(
                try disk.probe("delete=a\(number)", "find=a\(number)", "find=a30")
                    == ["delete 0", "find -25300 -", "find 0 value of a30"])
        }
        // Also by a process that keeps the keychain open.
        let deletes = (21...25).map { "delete=a\($0)" }
        #expect(try disk.probe(deletes.joined(separator: " ")) == deletes.map { _ in "delete 0" })
        #expect(try disk.probe("list", "check") == ["list 0 a26 a27 a28 a29 a30", "check clean"])
        try disk.empty()
        #expect(try disk.probe("add=new", "find=new", "check") == ["add 0", "find 0 value of new", "check clean"])
    }

    @Test(
        "on a full disk a passcode counts, wrong ones too, in the tool and through its agent; what is there is exported"
    )
    func passcode() throws {
        guard let disk = try SmallDisk() else { return }
        _ = try disk("printf secret1 | llavero add one --stdin && printf right | llavero passcode set --new-fd 0")
        _ = try disk("printf right | llavero unlock --fd 0")
        #expect(try disk("llavero list --plain").contains { $0.hasPrefix("one") })
        _ = try disk("llavero lock --end-agent")
        try disk.fill()
        // The first tells how often it was tried.
        let wrong = try disk("printf 'wrong\\n' | llavero unlock --fd 0")
        #expect(wrong.contains { $0.contains("wrong") }, "\(wrong)")
        #expect(try disk("printf 'right\\n' | llavero unlock --fd 0").allSatisfy { !$0.hasPrefix("exited") })
        #expect(try disk("llavero get one") == ["secret1"])
        #expect(try disk("llavero lock; printf 'wrong\\n' | llavero unlock --fd 0").contains { $0.contains("wrong") })
        #expect(try disk("printf 'right\\n' | llavero unlock --fd 0").allSatisfy { !$0.hasPrefix("exited") })
        #expect(try disk("llavero get one") == ["secret1"])
        #expect(try disk("printf 'right\\n' | llavero export --fd 0 | grep -c secret1") == ["1"])
        _ = try disk("llavero lock --end-agent")
    }

    @Test("on a disk that turned read-only items are found, with a log and without, and changes are refused as such")
    func readOnly() throws {
        guard let disk = try SmallDisk() else { return }
        _ = try disk.probe("add=a1", "add=a2", "killed")
        for clearing in ["true", "rm -f $LLAVERO_HOME/login/keychain.db-shm"] {
            #expect(try disk(clearing) == [])
            #expect(try disk("mount -o remount,ro $DISK") == [])
            let lines = try disk.probe("find=a2", "add=new", "why", "delete=a1", "list")
            #expect(lines.first == "find 0 value of a2", "\(clearing): \(lines)")
            #expect(lines.dropFirst().first == "add -25292", "\(lines)")
            #expect(lines.dropFirst(2).first?.contains("read-only file system") == true, "\(lines)")
            #expect(Array(lines.dropFirst(3)) == ["delete -25292", "list 0 a1 a2"], "\(lines)")
            #expect(try disk("mount -o remount,rw $DISK") == [])
        }
        #expect(try disk.probe("add=new", "list", "check") == ["add 0", "list 0 a1 a2 new", "check clean"])
    }
}
