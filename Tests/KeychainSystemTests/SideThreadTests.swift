// SPDX-License-Identifier: Apache-2.0

import Glibc
import KeychainSystem
import Testing

@Suite struct SideThreadTests {
    @Test("the result is that of another thread, and is there as often as it is asked for")
    func result() {
        let side = SideThread("side") { pthread_self() }
        let thread = side.result()
        #expect(thread != pthread_self() && side.result() == thread)
    }

    @Test("it has ended when its last reference is gone")
    func end() {
        let counter = ForkSafeMutex(0)
        for count in 1...50 {
            _ = SideThread("side") { counter.withLock { $0 += 1 } }
            #expect(counter.withLock { $0 } == count)
        }
    }

    @Test("two threads map all elements in their order", arguments: [0, 1, 2, 3, 64, 101])
    func halves(count: Int) {
        let elements = Array(0..<count)
        for fewest in [0, 64, .max] {
            let calls = ForkSafeMutex(0)
            let mapped = TwoThreads.map(elements, fewest: fewest, "half") { part in
                calls.withLock { $0 += 1 }
                return part.map { "\($0)" }
            }
            #expect(mapped == elements.map { "\($0)" })
            #expect(calls.withLock { $0 } == (count >= max(fewest, 2) ? 2 : 1))
        }
    }
}
