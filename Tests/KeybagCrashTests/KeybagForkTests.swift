// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import TestProcesses
import TestSwtpm
import Testing

/// A program forks while its keychain is unlocked.
@Suite struct KeybagForkTests {
    @Test("a forked child is locked, leaves its parent alone, and unlocks by itself")
    func software() throws { try expectTwoHalves(ForkedPair(tpm: nil)) }

    @Test(
        "the same with a TPM, which serves one of the two at a time",
        .enabled(if: SwtpmProcess.isInstalled && Llavero.supportsTPM, "needs swtpm, and a build with the trait TPM"))
    func tpm() throws { try expectTwoHalves(ForkedPair(tpm: SwtpmProcess())) }

    @Test("a forked child has none of the class keys that its parent has open, in any memory it can read")
    func memory() throws {
        let pair = try ForkedPair(tpm: nil)
        guard let inParent = try MemorySearch.memory(of: pair.parent(), for: pair.keys),
            let inChild = try MemorySearch.memory(of: pair.child(), for: pair.keys)
        else { return print("SKIPPED: /proc/PID/mem shows no other process here") }
        try pair.goOn()
        // The control: they are there to be found in the one who has unlocked.
        #expect(!inParent.isEmpty)
        #expect(inChild.sorted() == [])
    }

    private func expectTwoHalves(_ pair: ForkedPair) throws {
        try pair.goOn()
        let lines = pair.lines
        let needPasscode = Set(["ak", "ck", "aku", "cku", "akpu"].map(ForkedPair.item))
        let needUnlock = Set(["ak", "aku", "akpu"].map(ForkedPair.item))
        func expect(_ who: String, locked: Set<String>) {
            for item in ForkedPair.items {
                #expect(lines.contains("\(who): \(item) \(locked.contains(item) ? -25308 : 0)"), "\(lines)")
            }
        }
        expect("before", locked: [])
        expect("child", locked: needPasscode)
        #expect(lines.filter { $0.hasPrefix("child is ") } == ["child is beforeFirstUnlock", "child is unlocked"])
        #expect(lines.contains("child rotates nothing"))
        expect("child unlocked", locked: [])
        expect("child locked", locked: needUnlock)
        expect("parent", locked: [])
        #expect(lines.contains("parent is unlocked"))
        expect("parent afterwards", locked: [])
        expect("parent locked", locked: needUnlock)
    }
}
