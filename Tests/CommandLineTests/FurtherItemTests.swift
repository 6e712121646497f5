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
                "\"$0\" add token --code --stdin --quiet < seed; for i in 1 2 3 4 5; do \"$0\" code token & done; wait",
                tool,
            ])
        // RFC 4226, appendix D.
        #expect(answer.output.split(separator: "\n").sorted() == ["287082", "338314", "359152", "755224", "969429"])
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
}
