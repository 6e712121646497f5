// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import Testing

/// What is said to people about times that came from other devices.
@Suite struct CircleWordsTests {
    @Test("a time is so old, and one that is to come is now, whatever the clock says")
    func ages() {
        #expect(CircleWords.age(1000, 8200) == "2 hours ago")
        #expect(CircleWords.age(1000, 1000 + 86400) == "1 day ago")
        for now in [-1e12, -1, 0, 8e8] as [Double] {
            #expect(CircleWords.age(.max, now) == "just now")
        }
        #expect(CircleWords.age(.min, -1) == "just now")
        #expect(CircleWords.age(.min, 86400) == "1 day ago")
    }

    @Test("each time has a day", arguments: [Int64.min, -1, 0, .max])
    func days(time: Int64) {
        #expect(!CircleWords.day(time).isEmpty)
    }
}
