// SPDX-License-Identifier: Apache-2.0

import CTestSupport
import Foundation

/// One of several processes that work on one folder at the same time.
enum Worker {
    /// `name` of the process, `threads`, `seconds`, `forks` of the main thread while the others work, and the folder of
    /// the journals.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count == 5, let threads = Int(arguments[1]), let seconds = Double(arguments[2]),
            let forks = Int(arguments[3])
        else { return 64 }
        let (name, journals) = (arguments[0], arguments[4])
        WorkerThread(name: "\(name)main", journals: journals).warmUp()
        let end = Date(timeIntervalSinceNow: seconds)
        let others = start((0..<threads).map { "\(name)t\($0)" }, journals, end)
        var children: [pid_t] = []
        for fork in 0..<forks {
            Thread.sleep(forTimeInterval: seconds / Double(forks + 1))
            let child = llt_fork()
            // The child's threads are its own; it knows nothing of the ones that were at work.
            if child == 0 { return goOn("\(name)f\(fork)", journals, until: end) }
            children.append(child)
        }
        for thread in others { pthread_join(thread, nil) }
        var worst: Int32 = 0
        for child in children {
            var status: Int32 = 0
            guard llt_wait(child, 900_000, &status) else { return 70 }
            if llt_exit_code(status) != 0 { worst = llt_exit_code(status) }
        }
        return worst
    }

    /// Works in the thread that forked and in a new one.
    private static func goOn(_ name: String, _ journals: String, until end: Date) -> Int32 {
        let other = start(["\(name)t1"], journals, end)
        WorkerThread(name: "\(name)t0", journals: journals).run(until: end)
        for thread in other { pthread_join(thread, nil) }
        return 0
    }

    private static func start(_ names: [String], _ journals: String, _ end: Date) -> [pthread_t] {
        names.map { name in start { WorkerThread(name: name, journals: journals).run(until: end) } }
    }

    /// Runs the body in a new thread, which is to be joined.
    static func start(_ body: @escaping () -> Void) -> pthread_t {
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        return thread
    }

    private final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }
}
