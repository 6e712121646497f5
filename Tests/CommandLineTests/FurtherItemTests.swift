// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// What belongs to an item, where a transcript cannot show it.
@Suite("what belongs to an item") struct FurtherItemTests {
    private let scene: ToolScene

    init() throws { scene = try ToolScene() }

    @Test("programs that ask at once for codes that count get one each") func countedOnce() throws {
        let url = "otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0"
        try scene.write(url, to: "seed")
        let tool = try ToolScene.built("llavero")
        let answer = try scene.run(
            "/bin/sh",
            [
                "-c",
                "\"$0\" add token --code --stdin --quiet < seed; (for i in 1 2 3 4 5; do \"$0\" code token & done) | cat",
                tool,
            ])
        // RFC 4226, appendix D.
        #expect(answer.output.split(separator: "\n").sorted() == ["287082", "338314", "359152", "755224", "969429"])
    }

    @Test("also codes whose seed has no number yet, as of an earlier import") func countedOnceFromTheBeginning() throws
    {
        try scene.write("otpauth://hotp/x?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&counter=0", to: "seed")
        let tool = try ToolScene.built("llavero")
        let answer = try scene.run(
            "/bin/sh",
            [
                "-c",
                "printf p | \"$0\" add token --stdin --quiet; \"$0\" add 'token (otp)' --stdin --quiet < seed; "
                    + "(for i in 1 2 3 4 5; do \"$0\" code token & done) | cat",
                tool,
            ])
        #expect(answer.output.split(separator: "\n").sorted() == ["287082", "338314", "359152", "755224", "969429"])
    }

    @Test("what is changed while a secret is typed stays: fields, tags, expiry") func changedMeanwhile() throws {
        try scene.write("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", to: "seed")
        let tool = try ToolScene.built("llavero")
        // That it is shared is said before the secret is read.
        let script = """
            printf p | "$0" add mail --sync --tag old --stdin --quiet; mkfifo pipe
            (cat pipe | "$0" edit mail --tag work --code --stdin 2> said) & edit=$!
            until grep -q 'changes on this machine' said 2> /dev/null; do :; done
            printf 4711 | "$0" edit mail --field PIN --stdin --quiet
            "$0" edit mail --tag later --no-tag old --expires 2030-01-01 --quiet
            cat seed > pipe; wait $edit; "$0" get mail --field PIN; "$0" code mail; "$0" show mail --json
            """
        let answer = try scene.run("/bin/bash", ["-c", script, tool])
        let lines = answer.output.split(separator: "\n")
        #expect(lines.count == 3 && lines.first == "4711" && lines.dropFirst().first?.count == 6, "\(answer)")
        #expect(lines.last?.contains("\"tags\":[\"later\",\"work\"]") == true, "\(answer)")
        #expect(lines.last?.contains("2030-01-01") == true, "\(answer)")
    }

    /// By which the further secrets of each item name it, sorted, after some commands of a machine.
    private func ids(_ machine: String, _ commands: String...) throws -> [String] {
        let tool = try ToolScene.built("llavero")
        let script = commands.map { "printf 1 | \"$0\" \($0) --quiet" } + ["\"$0\" list --all --json"]
        let line = "export LLAVERO_HOME=\(scene.file(machine)); " + script.joined(separator: "; ")
        let answer = try scene.run("/bin/bash", ["-c", line, tool])
        #expect(answer.code == 0 && answer.complaint.isEmpty, "\(answer)")
        return answer.output.matches(of: /llavero\.of\.([0-9a-f]{32})/).map { String($0.1) }.sorted()
    }

    @Test("an item's field that is asked for as references have it is told of --field") func asReference() throws {
        let script = "printf p | \"$0\" add Mail --stdin --quiet; \"$0\" get mail/PIN"
        let answer = try scene.run("/bin/sh", ["-c", script, try ToolScene.built("llavero")])
        #expect(answer.complaint.contains("`llavero get Mail --field PIN`"), "\(answer)")
    }

    @Test("machines that each give a shared item its first field name the item alike") func identifiedAlike() throws {
        let add = "add mail --user ada --sync --stdin"
        let first = try ids("a", add, "edit mail --field PIN --stdin")
        #expect(Set(first).count == 1)
        #expect(try ids("b", add, "edit mail --field PUK --stdin") == first)
        #expect(try ids("c", "add mail --user eve --sync --stdin", "edit mail --field PIN --stdin") != first)
        #expect(
            try ids("d", "add mail --url https://ada@mail --sync --stdin", "edit mail --field PIN --stdin") != first)
        // One that is not shared is another item on each machine.
        let own = "add mail --user ada --stdin"
        let alone = try ids("e", own, "edit mail --field PIN --stdin")
        #expect(try alone.count == 1 && ids("f", own, "edit mail --field PIN --stdin") != alone)
    }

    @Test("an item of a name that another one had before is named otherwise, and alike on all machines")
    func identifiedApart() throws {
        let add = ["add mail --sync --stdin", "edit mail --field PIN --stdin"]
        let first = try ids("a", add[0], add[1])
        let both = try ids("a", "rename mail post", add[0], add[1])
        #expect(both.count == 2 && Set(both).count == 2 && both.contains(first[0]))
        #expect(try ids("b", add[0], add[1], "rename mail post", add[0], add[1]) == both)
        // What is removed, and added under its name again, is the same item for those that share it.
        #expect(try ids("c", add[0], add[1], "remove mail", add[0], add[1]) == first)
    }

    // The pipe is there until the last of them has ended: a shell that is to wait may have inherited that SIGCHLD is blocked.
    @Test("fields that programs give one item at once are all the item's") func identifiedOnce() throws {
        let tool = try ToolScene.built("llavero")
        let answer = try scene.run(
            "/bin/sh",
            [
                "-c",
                "printf p | \"$0\" add mail --stdin --quiet; (for i in 1 2 3 4 5; do printf $i | \"$0\" edit mail --field f$i --stdin --quiet & done) | cat; for i in 1 2 3 4 5; do \"$0\" get mail --field f$i; done",
                tool,
            ])
        #expect(answer.output == "1\n2\n3\n4\n5\n" && answer.complaint.isEmpty)
    }

    @Test("what an earlier import made of a part of an entry is found with the entry") func earlier() throws {
        try scene.write("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", to: "seed")
        let tool = try ToolScene.built("llavero")
        let answer = try scene.run(
            "/bin/sh",
            [
                "-c",
                "printf p | \"$0\" add mail --user ada --stdin --quiet; \"$0\" add 'mail (otp)' --user ada --stdin --quiet < seed; "
                    + "printf 4711 | \"$0\" add 'mail (PIN)' --user ada --stdin --quiet; \"$0\" code mail; \"$0\" get mail --field PIN",
                tool,
            ])
        let lines = answer.output.split(separator: "\n")
        #expect(lines.count == 2 && lines.first?.count == 6 && lines.last == "4711")
    }

    @Test("an item whose second part cannot be stored is not there by half") func halfAnAdd() throws {
        try scene.write(String(repeating: "x", count: 8_000_000), to: "big")
        let tool = try ToolScene.built("llavero")
        _ = try scene.run("/bin/sh", ["-c", "printf p | \"$0\" add first --stdin --quiet", tool])
        let limited = "trap '' XFSZ; ulimit -f 2000; printf p | \"$0\" add half --attach big --stdin"
        let answer = try scene.run("/bin/bash", ["-c", limited, tool])
        #expect(answer.code == 1)
        #expect(try scene.tool("list", "--all", "--plain").output.split(separator: "\n").count == 1)
        // Nor is it in the way of the next try.
        let again = try scene.run("/bin/sh", ["-c", "printf p | \"$0\" add half --attach big --stdin --quiet", tool])
        #expect(again.code == 0 && again.complaint.isEmpty)
        #expect(try scene.tool("get", "half", "--attachment", "big").output.utf8.count == 8_000_000)
    }
}
