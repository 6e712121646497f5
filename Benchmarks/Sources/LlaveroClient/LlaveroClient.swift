// SPDX-License-Identifier: Apache-2.0

import Glibc
import Security

/// A client of the daemon whose socket `LLAVERO_SOCKET` names.
///
/// `llavero-client fill ITEMS` stores items and ends. `llavero-client finds ITEMS` and `llavero-client mixed ITEMS` warm up,
/// print a line, and for each line `SECONDS` they read work for so long: they print how many calls they made, and the
/// median and the 99th percentile of what one took in microseconds. They end with their input.
@main
struct LlaveroClient {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let mode = arguments.first, let items = arguments.dropFirst().first.flatMap({ Int($0) }), items > 0 else {
            exit(2)
        }
        switch mode {
        case "fill": for number in 0..<items where !Password(number).add() { exit(1) }
        case "finds":
            // What the call does not need is made before.
            let queries = (0..<min(items, 2000)).map { Password($0 * 7919 % items).query }
            answer { step in Password.find(queries[step % queries.count]) }
        case "mixed":
            let own = items + 10 * Int(getpid())
            answer { step in mixed(step, items, own) }
        default: exit(2)
        }
    }

    /// Seven finds, an addition, an update, a deletion.
    private static func mixed(_ step: Int, _ items: Int, _ own: Int) -> Bool {
        switch step % 10 {
        case 0: Password(own).add()
        case 4: Password(own).update()
        case 9: Password(own).delete()
        default: Password(step * 7919 % items).find()
        }
    }

    private static func answer(_ call: (Int) -> Bool) {
        var step = 0
        while step < 200 || step % 10 != 0 {
            guard call(step) else { exit(1) }
            step += 1
        }
        say("ready")
        while let line = readLine(), let seconds = Double(line) {
            var times: [Double] = []
            times.reserveCapacity(1 << 18)
            var now = time()
            let end = now + seconds * 1e6
            // Whole turns, so that the next one begins as this one did.
            while now < end || step % 10 != 0 {
                guard call(step) else { exit(1) }
                let after = time()
                times.append(after - now)
                now = after
                step += 1
            }
            times.sort()
            say("\(times.count) \(times[times.count / 2]) \(times[times.count * 99 / 100])")
        }
    }

    /// At once, which `print` would not.
    private static func say(_ text: String) {
        let line = Array((text + "\n").utf8)
        write(STDOUT_FILENO, line, line.count)
    }

    private static func time() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
    }
}
