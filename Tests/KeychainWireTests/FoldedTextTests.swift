// SPDX-License-Identifier: Apache-2.0

import KeychainModel
import Testing

@Suite struct FoldedTextTests {
    @Test("a text of which what does not count was taken away stays as it is", arguments: UInt8(0)..<8)
    func stays(ignored: UInt8) {
        let matching = TextMatching(ignoring: TextMatching.Ignored(rawValue: ignored))
        let letters = (0...UInt32(0x2FFFF)).lazy.compactMap { Unicode.Scalar($0) }
        let changed = letters.filter { letter in
            let once = matching.folded(String(letter))
            return !matching.folded(once).hasSameBytes(as: once)
        }
        #expect(Array(changed) == [])
    }
}
