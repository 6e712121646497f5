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
            until grep -q 'changes on all machines' said 2> /dev/null; do :; done
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
