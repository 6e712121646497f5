// SPDX-License-Identifier: Apache-2.0

import Foundation
import KeychainModel
import KeychainSystem
import Synchronization
import Testing

/// Costly work on threads that wait for their turn.
@Suite struct FairQueueTests {
    /// Threads that ask for a turn each, and what became of them in the order in which it did.
    private final class Work: Sendable {
        let queue: FairQueue
        private let record = ForkSafeMutex<[String]>([])
        private let threads = DispatchGroup()

        init(_ queue: FairQueue) { self.queue = queue }

        var done: [String] { record.withLock { $0 } }

        func note(_ text: String) { record.withLock { $0.append(text) } }

        /// Begins a thread, and returns when its work waits, of which there is so much then.
        func ask(
            _ name: String, of user: UInt32, waiting count: Int, isWanted: @escaping @Sendable () -> Bool = { true }
        ) {
            start(name, of: user, isWanted)
            while queue.waiting < count { sched_yield() }
        }

        func start(_ name: String, of user: UInt32, _ isWanted: @escaping @Sendable () -> Bool = { true }) {
            threads.enter()
            Thread.detachNewThread { [self] in
                defer { threads.leave() }
                do throws(WorkRefusal) {
                    try queue.perform(WorkOrder(user: user, isWanted: isWanted), refused: same) {
                        (_) throws(WorkRefusal) in note(name)
                    }
                } catch { note("\(name) \(error)") }
            }
        }

        func finish() { threads.wait() }
    }

    /// Has the only place until it is told to give it back.
    private final class Holder: Sendable {
        private let begun = DispatchSemaphore(value: 0)
        private let end = DispatchSemaphore(value: 0)

        init(_ queue: FairQueue, user: UInt32) {
            Thread.detachNewThread { [begun, end] in
                try? queue.perform(WorkOrder(user: user) { true }, refused: same) { (_) throws(WorkRefusal) in
                    begun.signal()
                    end.wait()
                }
            }
            begun.wait()
        }

        func letGo() { end.signal() }
    }

    @Test("one user with a hundred threads delays another's work by one piece, not by a hundred")
    func flood() {
        let queue = FairQueue(places: 1, ofUser: 1, waitingOfUser: 200)
        let work = Work(queue)
        let holder = Holder(queue, user: 1)
        for number in 0..<100 { work.ask("a\(number)", of: 1, waiting: number + 1) }
        work.ask("b", of: 2, waiting: 101)
        holder.letGo()
        work.finish()
        #expect(work.done.count == 101)
        #expect(work.done.firstIndex(of: "b") ?? .max <= 1)
        #expect(work.done.filter { $0 != "b" } == (0..<100).map { "a\($0)" })
    }

    @Test("more than may wait is refused at once, and the other user's is not")
    func full() {
        let queue = FairQueue(places: 1, ofUser: 1, waitingOfUser: 3)
        let work = Work(queue)
        let holder = Holder(queue, user: 1)
        for number in 0..<3 { work.ask("a\(number)", of: 1, waiting: number + 1) }
        let refusal = #expect(throws: WorkRefusal.self) {
            try queue.perform(WorkOrder(user: 1) { true }, refused: same) { (_) throws(WorkRefusal) in }
        }
        #expect(refusal == .tooMuchWaiting)
        work.ask("b", of: 2, waiting: 4)
        holder.letGo()
        work.finish()
        #expect(Set(work.done) == ["a0", "a1", "a2", "b"])
    }

    @Test("work of programs that are gone is not begun, and takes nobody's room")
    func abandoned() {
        let queue = FairQueue(places: 1, ofUser: 1, waitingOfUser: 2)
        let work = Work(queue)
        let isThere = Flag()
        let holder = Holder(queue, user: 1)
        for number in 0..<2 { work.ask("gone\(number)", of: 1, waiting: number + 1) { isThere.value } }
        isThere.value = false
        work.start("a", of: 1)
        // Those that are gone make room for the third.
        while work.done.count < 2 { sched_yield() }
        while queue.waiting < 1 { sched_yield() }
        isThere.value = true
        work.ask("left", of: 1, waiting: 2) { isThere.value }
        isThere.value = false
        holder.letGo()
        work.finish()
        #expect(work.done.dropLast(2).sorted() == ["gone0 abandoned", "gone1 abandoned"])
        #expect(Set(work.done.suffix(2)) == ["a", "left abandoned"])
    }

    @Test("a result that nobody waits for any more is not used")
    func unwanted() {
        let queue = FairQueue(places: 1, ofUser: 1)
        let isThere = Flag()
        let refusal = #expect(throws: WorkRefusal.self) {
            try queue.perform(WorkOrder(user: 1) { isThere.value }, refused: same) { (_) throws(WorkRefusal) in
                isThere.value = false
            }
        }
        #expect(refusal == .abandoned)
        // The place is free again.
        #expect(throws: Never.self) {
            try queue.perform(.own, refused: same) { (_) throws(WorkRefusal) in }
        }
    }

    @Test("work that takes seconds lets others go first in between, and ends when nobody wants it")
    func givesWay() {
        let queue = FairQueue(places: 1, ofUser: 1)
        let work = Work(queue)
        let isThere = Flag()
        let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let order = WorkOrder(user: 1) { isThere.value }
            do throws(WorkRefusal) {
                try queue.perform(order, refused: same) { (turn) throws(WorkRefusal) in
                    begun.signal()
                    // As OpenSSL asks while it makes a key; it never ends by itself.
                    while turn.goesOn() {}
                    work.note(turn.isAbandoned ? "given up" : "done")
                }
            } catch { work.note("\(error)") }
            ended.signal()
        }
        begun.wait()
        // Both are done while the first work goes on.
        work.start("a", of: 1)
        work.start("b", of: 2)
        work.finish()
        #expect(Set(work.done) == ["a", "b"])
        isThere.value = false
        ended.wait()
        #expect(work.done.suffix(2) == ["given up", "abandoned"])
    }

    private final class Flag: Sendable {
        private let flag = Atomic(true)
        var value: Bool {
            get { flag.load(ordering: .sequentiallyConsistent) }
            set { flag.store(newValue, ordering: .sequentiallyConsistent) }
        }
    }
}

private func same(_ refusal: WorkRefusal) -> WorkRefusal { refusal }
