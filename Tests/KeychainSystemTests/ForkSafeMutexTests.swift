// SPDX-License-Identifier: Apache-2.0

import KeychainSystem
import Testing

@Suite struct ForkSafeMutexTests {
    private struct Refusal: Error, Equatable {}

    @Test("no increment is lost between tasks")
    func exclusive() async {
        let counter = ForkSafeMutex(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<2000 { counter.withLock { $0 += 1 } } }
            }
        }
        #expect(counter.withLock { $0 } == 16_000)
    }

    @Test("a body that throws leaves the mutex free")
    func throwing() {
        let value = ForkSafeMutex("a")
        do throws(Refusal) {
            try value.withLock { value throws(Refusal) in
                value = "b"
                throw Refusal()
            }
        } catch {
            #expect(error == Refusal())
        }
        #expect(value.withLock { $0 } == "b")
    }
}
