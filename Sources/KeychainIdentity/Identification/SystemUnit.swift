// SPDX-License-Identifier: Apache-2.0

internal import CPeer
internal import KeychainModel

/// The service of the system that a process belongs to.
package enum SystemUnit {
    /// The unit that the text of /proc/PID/cgroup names; nil when it names none, or one of a user.
    ///
    /// A user's own manager may move processes between the units below its own, so those say nothing. Below a unit of
    /// the system the service itself may make groups (Delegate=); they do not count.
    package static func named(in text: String) -> String? {
        var paths: [Substring] = []
        for line in text.parts(between: "\n") {
            let fields = line.parts(between: ":", cuts: 2, andEmpty: true)
            guard fields.count == 3 else { return nil }
            // systemd keeps its own hierarchy, the unified one, or both with the same path.
            if fields[1] == "name=systemd" || (fields[0] == "0" && fields[1].isEmpty) { paths.append(fields[2]) }
        }
        guard let path = paths.first, paths.allSatisfy({ $0 == path }) else { return nil }
        return unit(at: path)
    }

    /// Whether `name` can be the name of a service at all, or that of a template of services.
    static func isService(_ name: String) -> Bool {
        name.ends(with: suffix) && name.utf8.count > suffix.utf8.count && name.utf8.allSatisfy(mayStandInName)
            // A user's manager is a unit of the system, and everything of that user is below it.
            && !name.begins(with: "user@") && !name.begins(with: "@")
    }

    /// Whether a unit is the one of a name, or an instance of that template: who starts services of the system chooses the instance.
    static func isUnit(_ unit: String, called name: String) -> Bool {
        if unit.hasSameBytes(as: name) { return true }
        guard isTemplate(name) else { return false }
        return unit.begins(with: String(name.dropLast(suffix.count))) && unit.utf8.count > name.utf8.count
    }

    static func isTemplate(_ name: String) -> Bool { name.ends(with: "@" + suffix) }

    private static func mayStandInName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "_"),
            UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "@"):
            true
        default: false
        }
    }

    private static func unit(at path: Substring) -> String? {
        let components = path.parts(between: "/", andEmpty: true)
        guard components.first?.isEmpty == true, components.count > 2, components[1] == "system.slice" else {
            return nil
        }
        for component in components.dropFirst() {
            guard !component.isEmpty, component != ".." else { return nil }
            if component.ends(with: ".slice") { continue }
            let name = String(component)
            return isService(name) ? name : nil
        }
        return nil
    }

    private static let suffix = ".service"
}

/// Whether the kernel keeps a user's programs from steering each other by ptrace, and so out of a service's processes.
///
/// That a process forbids debuggers itself (PR_SET_DUMPABLE) is not enough for a service: it does so a moment after it was
/// executed, and its user's programs may end it and be there when systemd starts it again; any program that the service starts
/// does not do it; and a tracer of one of its processes can have that start others, which stay in the service
/// and may forbid debuggers too. What counts is that tracing is impossible: Yama lets only a process's ancestors trace it, and
/// those of a service of the system are systemd and the service.
package enum TracingProtection {
    /// Why other programs of its user can steer the process; nil when they cannot.
    package static func gap(of process: PeerProcess) -> String? {
        // Other programs of root's have everything anyway.
        if process.user == 0 { return nil }
        guard let tracer = tracer(in: process.text(of: "status")) else { return "its tracers cannot be determined" }
        guard tracer == 0 else { return "another process traces it" }
        return isRestricted() ? nil : "other programs of its user may trace it (kernel.yama.ptrace_scope is not set)"
    }

    /// Whether Yama is active, and lets only ancestors trace.
    package static func isRestricted() -> Bool { (scope() ?? 0) >= 1 }

    /// What kernel.yama.ptrace_scope says; nil where the kernel has no Yama, or it cannot be read.
    package static func scope() -> Int? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe llv_peer_read_file_at("/proc/sys/kernel/yama/ptrace_scope", &bytes, 16)
        guard count > 0, count < 16 else { return nil }
        return scope(in: String(decoding: bytes.prefix(Int(count)), as: UTF8.self))
    }

    /// The number in such a file's text.
    package static func scope(in text: String) -> Int? {
        let digits = text.before("\n") ?? text[...]
        guard digits.utf8.count == 1, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(digits)
    }

    /// The process that traces, by the text of /proc/PID/status; 0 for none, nil when that does not say.
    package static func tracer(in status: String?) -> Int? {
        // The program's own name stands in the first line, with its line feeds written otherwise.
        let name = "TracerPid:\t"
        for line in status?.parts(between: "\n") ?? [] {
            if let number = line.behind(name) { return Int(number) }
        }
        return nil
    }
}
