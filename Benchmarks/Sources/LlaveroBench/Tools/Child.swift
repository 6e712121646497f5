// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program to start: `posix_spawn` and `waitpid`, nothing between that would cost time of its own.
struct Child {
    let program: String
    let arguments: [String]
    /// `NAME=value`, and nothing else is passed on.
    let environment: [String]

    /// The first of the usual folders that has a program of this name.
    static func find(_ name: String) -> String? {
        ["/usr/bin/", "/bin/", "/usr/local/bin/"].map { $0 + name }.first { access($0, X_OK) == 0 }
    }

    /// How many microseconds it takes from start to end.
    ///
    /// Its output goes nowhere.
    func microseconds() throws(WrongResult) -> Double {
        let start = Stopwatch.now()
        let status = try wait(for: spawn(input: nil, output: nil))
        let taken = Stopwatch.now() - start
        try WrongResult.unless(status == 0, "\(program) ended with status \(status)")
        return taken
    }

    /// How many microseconds it takes from start to end, and the most memory in megabytes that it has on the way; its output
    /// goes nowhere.
    ///
    /// The memory is read while it runs, since what the kernel tells at the end counts this process's memory too. So the last
    /// fiftieth of a second is not seen.
    func timeAndMemory() throws(WrongResult) -> (microseconds: Double, megabytes: Double) {
        let start = Stopwatch.now()
        let process = try spawn(input: nil, output: nil)
        var (status, most): (Int32, Double) = (0, 0)
        while true {
            let ended = waitpid(process, &status, WNOHANG)
            if ended == process { break }
            try WrongResult.unless(ended == 0 || errno == EINTR, "waiting for \(program) failed: \(errno)")
            most = max(most, Child.mostMemory(of: "\(process)") ?? 0)
            usleep(20_000)
        }
        let taken = Stopwatch.now() - start
        try WrongResult.unless(status == 0, "\(program) ended with status \(status)")
        return (taken, most)
    }

    /// The most memory in megabytes that a process had so far, by its number or `self`; nil when it is gone.
    static func mostMemory(of process: String) -> Double? {
        guard let file = fopen("/proc/\(process)/status", "r") else { return nil }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
                whereSeparator: \.isWhitespace)
            if words.count > 1, words[0] == "VmHWM:", let kilobytes = Double(words[1]) { return kilobytes / 1024 }
        }
        return nil
    }

    /// Runs it to its end and returns what it wrote.
    func output() throws(WrongResult) -> String {
        let ends = try pipe()
        let process = try spawn(input: nil, output: ends.write)
        close(ends.write)
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends.read, &buffer, buffer.count)
            if count <= 0 { break }
            bytes += buffer[..<count]
        }
        close(ends.read)
        let status = try wait(for: process)
        try WrongResult.unless(status == 0, "\(program) ended with status \(status)")
        return String(decoding: bytes, as: UTF8.self)
    }

    /// How many lines it writes, without keeping them.
    func lines() throws(WrongResult) -> Int {
        let ends = try pipe()
        let process = try spawn(input: nil, output: ends.write)
        close(ends.write)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var lines = 0
        while true {
            let count = read(ends.read, &buffer, buffer.count)
            if count <= 0 { break }
            for byte in buffer[..<count] where byte == 0x0A { lines += 1 }
        }
        close(ends.read)
        let status = try wait(for: process)
        try WrongResult.unless(status == 0, "\(program) ended with status \(status)")
        return lines
    }

    /// Starts it with `text` to read and leaves it running.
    ///
    /// Whoever calls ends it.
    func start(reading text: String) throws(WrongResult) -> pid_t {
        let ends = try pipe()
        let process = try spawn(input: ends.read, output: nil)
        close(ends.read)
        var bytes = Array(text.utf8)
        write(ends.write, &bytes, bytes.count)
        close(ends.write)
        return process
    }

    /// Waits for the end of a process; its exit status, or 128 and more when a signal ended it.
    @discardableResult
    func wait(for process: pid_t) throws(WrongResult) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            try WrongResult.unless(errno == EINTR, "waiting for \(program) failed: \(errno)")
        }
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    private func pipe() throws(WrongResult) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try WrongResult.unless(Glibc.pipe(&ends) == 0, "no pipe: \(errno)")
        // The child gets its end by another number; a second copy would keep the pipe open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private func spawn(input: Int32?, output: Int32?) throws(WrongResult) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (end, target, mode) in [(input, STDIN_FILENO, O_RDONLY), (output, STDOUT_FILENO, O_WRONLY)] {
            if let end {
                posix_spawn_file_actions_adddup2(&actions, end, target)
            } else {
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", mode, 0)
            }
        }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup($0) } + [nil]
        defer { for text in words + variables { free(text) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &actions, nil, &words, &variables)
        try WrongResult.unless(failure == 0, "\(program) does not start: \(failure)")
        return process
    }
}
