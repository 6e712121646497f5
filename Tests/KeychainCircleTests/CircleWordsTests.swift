// SPDX-License-Identifier: Apache-2.0

import KeychainCircle
import KeychainRequest
import KeychainSync
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

    @Test("who waits to join is told by the alarm's kind why it waits in vain")
    func joining() throws {
        let view = try #require(SyncView([UInt8](repeating: 1, count: SyncView.size)))
        let device = try #require(DeviceID([UInt8](repeating: 1, count: DeviceID.size)))
        let lacks = "the server does not have what it was told"
        let older = try #require(CircleWords.joining(over: .wentBack(.log, mine: 2, newest: 1)))
        #expect(older.contains(lacks))
        let others: [(Alarm, String)] = [
            (.forked(.log, 2, author: device), "which history counts"), (.replaced(.log, 2), "which history counts"),
            (.withheld(.log, 2, seenBy: device, at: 0), "has removed who says so"),
        ]
        for (alarm, words) in others {
            let said = try #require(CircleWords.joining(over: alarm))
            #expect(said.contains(words) && !said.contains(lacks))
        }
        #expect(CircleWords.joining(over: .missingHead(view, 1)) == nil)
    }

    @Test("each time has a day", arguments: [Int64.min, -1, 0, .max])
    func days(time: Int64) {
        #expect(!CircleWords.day(time).isEmpty)
    }
}
