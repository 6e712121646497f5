// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// Work in a thread beside its maker's, which has ended when the result is there or the last reference goes.
///
/// Where the system gives no thread, the work is done when its result is asked for.
// Safe: the thread is joined once.
@safe
package final class SideThread<Result: Sendable> {
    private let work: Work
    private var thread: pthread_t?

    /// Begins; the kernel keeps the first 15 bytes of the name.
    package init(_ name: StaticString, _ body: @escaping @Sendable () -> Result) {
        let work = Work(body)
        self.work = work
        thread = NamedThread.joinable(name) { work.run() }
    }

    deinit { join() }

    /// Waits for the end.
    package func result() -> Result {
        join()
        return work.run()
    }

    private func join() {
        guard let thread else { return }
        self.thread = nil
        pthread_join(thread, nil)
    }

    // Sendable: one thread runs it, and the other only when that one has ended.
    private final class Work: @unchecked Sendable {
        private let body: @Sendable () -> Result
        private var result: Result?

        init(_ body: @escaping @Sendable () -> Result) { self.body = body }

        @discardableResult
        func run() -> Result {
            if let result { return result }
            let made = body()
            result = made
            return made
        }
    }
}

/// Its maker alone asks for the result.
@available(*, unavailable)
extension SideThread: Sendable {}

/// What two threads do of one kind of work.
package enum TwoThreads {
    /// What `body` makes of both halves of the elements, in their order; of fewer than `fewest` it is called once.
    package static func map<Element: Sendable, Value: Sendable, Failure: Error>(
        _ elements: [Element], fewest: Int, _ name: StaticString,
        _ body: @escaping @Sendable (ArraySlice<Element>) throws(Failure) -> [Value]
    ) throws(Failure) -> [Value] {
        guard elements.count >= max(fewest, 2) else { return try body(elements[...]) }
        let middle = elements.count / 2
        let second = SideThread(name) { () -> Result<[Value], Failure> in
            do throws(Failure) { return .success(try body(elements[middle...])) } catch { return .failure(error) }
        }
        var values = try body(elements[..<middle])
        values += try second.result().get()
        return values
    }
}
