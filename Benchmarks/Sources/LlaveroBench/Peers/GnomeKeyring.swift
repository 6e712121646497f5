// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// The desktop's keyring over D-Bus, on a bus, a home and a keyring of its own: never the user's.
///
/// This program starts itself inside `dbus-run-session`; that inner one starts the daemon and measures.
enum GnomeKeyring {
    static let insideFlag = "--inside-a-bus"
    private static let sizes = [100, 1000]
    private static let samples = 40

    /// Without service folders: the bus starts nothing by itself.
    private static let busConfiguration = """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
          "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><auth>EXTERNAL</auth>
        <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
        <allow own="*"/></policy></busconfig>
        """

    static func rows(beside rows: [Row]) -> [Row] {
        do {
            guard let lines = try measure(insideFlag) else {
                return [Row(name: "gnome-keyring", items: 0, unit: .nothing, note: "not installed")]
            }
            return lines.compactMap { row($0, beside: rows) }
        } catch {
            return [Row(name: "gnome-keyring", items: 0, unit: .nothing, note: "not measured: \(error)")]
        }
    }

    /// A line is operation, items, microseconds, and how it was asked.
    private static func row(_ line: Substring, beside rows: [Row]) -> Row? {
        let words = line.split(separator: " ", maxSplits: 3)
        guard words.count == 4, let items = Int(words[1]), let time = Double(words[2]) else { return nil }
        let name = words[0] == "add" ? RowName.add : RowName.find
        let ours = rows.first { $0.name == name && $0.items == items }?.ours
        var row = Row(name: "gnome-keyring: \(words[0]), \(words[3])", items: items, ours: ours, peer: time)
        // At a size where both have something to do; at 100 items our time is the disk's alone.
        if words[3] == SecretService.way, items == sizes.last {
            row.target = .ahead(atLeast: words[0] == "add" ? 100 : 50)
        }
        return row
    }

    /// The lines that this program writes on a bus of its own; nil where something is not installed.
    static func measure(_ flag: String, _ more: [String] = []) throws -> [Substring]? {
        guard let session = Child.find("dbus-run-session"), let timeout = Child.find("timeout"),
            Child.find("gnome-keyring-daemon") != nil, Child.find("secret-tool") != nil
        else { return nil }
        let home = try TemporaryFolder()
        let configuration = home.path + "/bus.conf"
        try busConfiguration.write(toFile: configuration, atomically: true, encoding: .utf8)
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folders = ["HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]
        let child = Child(
            program: timeout,
            // Whatever hangs is ended with its whole process group.
            arguments: ["--kill-after=5", "90", session, "--config-file=\(configuration)", "--", own, flag],
            environment: folders.map { "\($0)=\(home.path)" } + ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"] + more)
        return try child.output().split(separator: "\n")
    }

    /// What the inner process does; one line a figure.
    static func runInside() throws {
        try withDaemon { environment, service in
            var count = 0
            for size in sizes {
                while count < size {
                    try service.add("account\(count)")
                    count += 1
                }
                var times: (add: [Double], find: [Double], tool: [Double]) = ([], [], [])
                for sample in 0..<samples {
                    let account = "account\(sample * 37 % size)"
                    times.find.append(try Stopwatch.each(1) { try service.find(account) })
                    times.tool.append(try lookup(account, environment).microseconds())
                    times.add.append(try Stopwatch.each(1) { try service.add("extra\(size)-\(sample)") })
                }
                print("find \(size) \(times.find.median ?? 0) \(SecretService.way)")
                print("add \(size) \(times.add.median ?? 0) \(SecretService.way)")
                print("find \(size) \(times.tool.median ?? 0) secret-tool, with its start")
            }
        }
    }

    /// With the daemon running on this process's bus.
    static func withDaemon(_ body: ([String], SecretService) throws -> Void) throws {
        let environment = ProcessInfo.processInfo.environment.map { "\($0.key)=\($0.value)" }
        guard let program = Child.find("gnome-keyring-daemon") else { return }
        let daemon = Child(
            program: program, arguments: ["--foreground", "--unlock", "--components=secrets"],
            environment: environment)
        let process = try daemon.start(reading: "password")
        defer {
            kill(process, SIGTERM)
            _ = try? daemon.wait(for: process)
        }
        let service = try SecretService()
        try service.waitUntilReady()
        try body(environment, service)
    }

    /// What its own tool does.
    static func lookup(_ account: String, _ environment: [String]) throws(WrongResult) -> Child {
        guard let tool = Child.find("secret-tool") else { throw WrongResult("secret-tool is missing") }
        return Child(
            program: tool, arguments: ["lookup", "service", "service", "account", account], environment: environment)
    }
}
