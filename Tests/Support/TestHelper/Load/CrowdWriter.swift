// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// One of many processes that open a keychain themselves and only write: each adds an item, changes it, and deletes it again.
enum CrowdWriter {
    /// The writer's name, the file whose coming begins it, the file whose coming ends it, and perhaps a pipe that gets a byte
    /// for each write.
    static func run(_ arguments: [String]) -> Int32 {
        guard arguments.count >= 3 else { return 64 }
        let passwords = Passwords(service: "crowd")
        let progress = arguments.dropFirst(3).first.map { open($0, O_WRONLY | O_NONBLOCK | O_CLOEXEC) } ?? -1
        // Opens the keychain, so that what is counted are writes alone.
        _ = passwords.find(arguments[0])
        print("ready")
        fflush(nil)
        while access(arguments[1], F_OK) != 0 { usleep(2000) }
        var (writes, errors, longest) = (0, 0, 0.0)
        var text = ""
        while access(arguments[2], F_OK) != 0 {
            let start = now()
            let status =
                switch writes % 3 {
                case 0: passwords.add(arguments[0], "first")
                case 1: passwords.update(arguments[0], "second")
                default: passwords.delete(arguments[0])
                }
            longest = max(longest, now() - start)
            guard status == errSecSuccess else {
                errors += 1
                if text.isEmpty { text = "\(status) \(Llavero.lastFailure ?? "")" }
                continue
            }
            writes += 1
            var byte: UInt8 = 0
            // A pipe that is full has enough.
            if progress >= 0 { write(progress, &byte, 1) }
        }
        print("writes", writes, errors, Int(longest * 1000), text)
        return 0
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
