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
}
