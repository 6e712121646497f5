// SPDX-License-Identifier: Apache-2.0

import KeychainBrowser
import Testing

@Suite struct DoctorCommandTests {
    @Test(
        "what doctor proposes is run where it is a command of ours that is complete",
        arguments: [
            ("llavero passcode set", ["passcode", "set"]), ("llavero recovery make", ["recovery", "make"]),
            ("llavero unlock, then run llavero doctor again", ["unlock"]),
            ("llavero repair saves what is intact, and keeps the rest", ["repair"]),
            ("llavero unlock --keychain work, then run llavero doctor again", ["unlock", "--keychain", "work"]),
            ("llavero recovery use --keychain /a/b-c", ["recovery", "use", "--keychain", "/a/b-c"]),
        ])
    func runs(fix: String, words: [String]) { #expect(DoctorCommand.words(of: fix) == words) }

    @Test(
        "nothing else is run",
        arguments: [
            "", "llavero", "llavero backup --into FOLDER", "sudo apt install x", "llavero erase",
            "llavero passcode remove",
            "rm -rf /; llavero unlock", "llavero add 'x' --stdin < f && rm f", "llavero unlock --keychain 'my own'",
            "llavero unlock --keychain $(reboot)", "llavero unlock --keychain", "chmod 700 /x",
        ])
    func isLeft(fix: String) { #expect(DoctorCommand.words(of: fix).isEmpty) }
}
