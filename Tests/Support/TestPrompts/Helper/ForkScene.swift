// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation
import KeychainAuthentication
import KeychainSystem

/// Forks while a prompt is open and somebody waits for it.
///
/// The child has a line of its own, where nobody waits; what it takes back is not the parent's.
enum ForkScene {
    static func run() -> String {
        let queue = PromptQueue<String, Int, PromptError>()
        // Swift's runtime builds what generic code needs at its first use, under locks that know nothing of fork.
        _ = try? queue.answer(to: "warm", Cancellation()) { (_) throws(PromptError) in 0 }
        let (asked, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (results, cancellation) = (DispatchSemaphore(value: 0), Cancellation())
        for _ in 0..<2 {
            Thread.detachNewThread {
                let answer = try? queue.answer(to: "key", cancellation) { (_) throws(PromptError) in
                    asked.signal()
                    answered.wait()
                    return 1
                }
                if answer == 1 { results.signal() }
            }
        }
        guard asked.wait(timeout: .now() + 900) == .success else { return "nobody asked" }
        while queue.waiting < 2 { usleep(1000) }
        let child = llt_fork()
        if child == 0 {
            cancellation.trip()
            let answer = try? queue.answer(to: "key", Cancellation()) { (_) throws(PromptError) in 2 }
            _exit(answer == 2 ? 0 : 1)
        }
        var status: Int32 = 0
        guard llt_wait(child, 900_000, &status) else { return "the child hangs" }
        guard llt_exit_code(status) == 0 else { return "the child has no answer" }
        answered.signal()
        for _ in 0..<2 where results.wait(timeout: .now() + 900) != .success { return "the parent has no answer" }
        return "clean"
    }
}
