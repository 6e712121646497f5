// SPDX-License-Identifier: Apache-2.0

import KeychainSecretService
import Testing

@Suite struct ProgramListTests {
    @Test("programs whose paths are one to Unicode, and not to the file system, are two")
    func bytes() {
        let (composed, parts) = (BusProgram(.program, "/opt/caf\u{e9}"), BusProgram(.program, "/opt/cafe\u{301}"))
        #expect(composed.name == parts.name)
        #expect(composed != parts && Set([composed, parts]).count == 2)
        var list = ProgramList()
        let isDecided = list.decide(.refuse, on: composed, at: 0)
        #expect(isDecided)
        #expect(list.decision(on: composed) == .refuse && list.decision(on: parts) == .allow)
        let forgotten = [list.forget(parts), list.forget(composed)]
        #expect(forgotten == [false, true])
    }

    @Test("one path is another program as a script than as a program")
    func kinds() {
        #expect(BusProgram(.program, "/usr/bin/a") != BusProgram(.script, "/usr/bin/a"))
        #expect(BusProgram(.program, "/usr/bin/a") == BusProgram(.program, "/usr/bin/a"))
    }

    @Test("scripts that an earlier version named by a word of their command line are dropped")
    func words() throws {
        var list = ProgramList()
        let script = BusProgram(.script, "/opt/my app/python3.11 /home/my files/w.py")
        let words = ["w.py", "./w.py", "import keyring; keyring.set_password('prod-db', 'root', 'x y /z')", "-c"]
        for word in words { _ = list.decide(.refuse, on: BusProgram(.script, "/usr/bin/python3.11 \(word)"), at: 0) }
        for program in [script, BusProgram(.program, "/usr/bin/game")] { _ = list.decide(.ask, on: program, at: 0) }
        let read = try ProgramList(decoding: try list.encoded())
        #expect(read.entries.map(\.program) == [script, BusProgram(.program, "/usr/bin/game")])
        #expect(read.decision(on: script) == .ask)
        let again = try read.encoded()
        #expect(again.count < 400 && !String(decoding: again, as: UTF8.self).contains("keyring"))
        #expect(words.allSatisfy { BusProgram(key: "script:/usr/bin/python3.11 \($0)") == nil })
    }
}
