// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import TestProcesses

/// A message bus of a test's own, with dbusmock's logind on it.
package final class LogindScene: @unchecked Sendable {
    package let folder: String
    package var address: String { "unix:path=\(folder)/run/bus" }
    /// Where this logind has a file for each session.
    package var sessions: String { folder + "/sessions" }
    // Of the one thread that runs the test.
    private var bus: Guardian?
    private var logind: Guardian?
    private var loops: [Guardian] = []

    /// With `isRunning` false there is no bus yet, nor the folder it would be in.
    package init(isRunning: Bool = true) throws {
        for program in ["/usr/bin/dbus-daemon", "/usr/bin/python3"]
        where !FileManager.default.isExecutableFile(atPath: program) {
            throw Trouble("\(program) is missing; Scripts/install-packages.sh test installs it")
        }
        var template = Array("/tmp/llavero-logind-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Trouble("no folder: \(errno)") }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try makeSessionFolder()
        if isRunning {
            try startBus()
            try startLogind()
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    package func startBus() throws {
        try FileManager.default.createDirectory(atPath: folder + "/run", withIntermediateDirectories: true)
        try configuration.write(toFile: folder + "/bus.conf", atomically: true, encoding: .utf8)
        bus = try Guardian(
            ["/usr/bin/dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile"],
            environment: environment, output: folder + "/bus.log")
    }

    /// Ends the bus, and logind with it.
    package func stopBus() throws {
        logind = nil
        bus = nil
        try FileManager.default.removeItem(atPath: folder + "/run")
    }

    package func startLogind() throws {
        logind = try Guardian(
            ["/usr/bin/python3", "-m", "dbusmock", "--system", "--template", "logind"],
            environment: environment, output: folder + "/logind.log")
        try FingerprintScene.repeating { (try? manager("ListInhibitors")) != nil }
    }

    package func stopLogind() { logind = nil }

    /// Adds a session of a user, which logind then tells of.
    package func addSession(_ name: String, of user: UInt32, class kind: String = "user") throws {
        try mock("AddSession", "'\(name)', 'seat0', dbus.UInt32(\(user)), 'somebody', True")
        if kind != "user" { try setText("Class", of: name, kind) }
        try emit("SessionNew", about: name)
    }

    /// Ends a session, as logind does in which nothing runs any more.
    package func endSession(_ name: String) throws {
        try mock("RemoveObject", "'/org/freedesktop/login1/session/\(name)'")
        try emit("SessionRemoved", about: name)
    }

    /// Adds a session whose class logind does not say yet.
    package func addUnclearSession(_ name: String, of user: UInt32) throws {
        let path = "/org/freedesktop/login1/session/\(name)"
        try mock(
            "AddObject",
            "'\(path)', one + '.Session', dbus.Dictionary({'User': dbus.Struct((dbus.UInt32(\(user)), dbus.ObjectPath('/u'))), "
                + "'Name': 'somebody', 'State': 'active', 'Seat': dbus.Struct(('', dbus.ObjectPath('/')))}, signature='sv'), "
                + "dbus.Array([], signature='(ssss)')")
        try emit("SessionNew", about: name)
    }

    /// Says the class of such a session from now on, when it is asked.
    package func clear(_ name: String) throws {
        try python(
            "bus.get_object(one, '/org/freedesktop/login1/session/\(name)').AddProperty("
                + "one + '.Session', 'Class', 'user', dbus_interface='org.freedesktop.DBus.Mock')")
    }

    /// Refuses so many times to say which sessions there are.
    package func refuseSessions(_ count: Int) throws {
        try python(
            """
            code = '''
            if not hasattr(self, 'refusals'): self.refusals = \(count)
            self.refusals -= 1
            if self.refusals >= 0:
                raise dbus.exceptions.DBusException('busy', name='org.freedesktop.DBus.Error.LimitsExceeded')
            ret = dbus.Array(signature='(susso)')
            for path, one in objects.items():
                if '/session/' in path:
                    user = one.Get('org.freedesktop.login1.Session', 'User')[0]
                    ret.append((path.split('/')[-1], user, 'somebody', '', dbus.ObjectPath(path)))
            '''
            dbus.Interface(bus.get_object(one, '/org/freedesktop/login1'), 'org.freedesktop.DBus.Mock').AddMethod(
                one + '.Manager', 'ListSessions', '', 'a(susso)', code)
            """)
    }

    /// Has a session's user lock it again and again, until the scene ends.
    package func lockAllTheTime(_ session: String) throws {
        let loop = "while True: logind('/session/\(session)', 'Session').Lock()"
        loops.append(
            try Guardian(
                ["/usr/bin/python3", "-c", LogindScene.prelude + loop], environment: environment,
                output: folder + "/loop.log"))
    }

    /// Ends a session in which something still runs: logind says nothing of it, and writes its file anew.
    package func logOut(_ name: String) throws {
        try endWithoutFile(name)
        try makeSessionFolder()
        try "STATE=closing\n".write(toFile: sessions + "/" + name, atomically: true, encoding: .utf8)
    }

    /// The same where there is no folder for the file.
    package func endWithoutFile(_ name: String) throws { try setText("State", of: name, "closing") }

    package func makeSessionFolder() throws {
        try FileManager.default.createDirectory(atPath: sessions, withIntermediateDirectories: true)
    }

    /// Has logind begin without the folder of its sessions.
    package func removeSessionFolder() throws { try FileManager.default.removeItem(atPath: sessions) }

    private func setText(_ property: String, of session: String, _ value: String) throws {
        try python(
            "bus.get_object(one, '/org/freedesktop/login1/session/\(session)').UpdateProperties("
                + "one + '.Session', {'\(property)': '\(value)'}, dbus_interface='org.freedesktop.DBus.Mock')")
    }

    private func emit(_ signal: String, about session: String) throws {
        try mock(
            "EmitSignal",
            "'org.freedesktop.login1.Manager', '\(signal)', 'so', "
                + "['\(session)', '/org/freedesktop/login1/session/\(session)']")
    }

    /// What whoever wants a session locked, or unlocked, asks logind for: "Lock", "Unlock", "SetLockedHint".
    package func tell(_ session: String, _ method: String, _ arguments: String = "") throws {
        try python("logind('/session/\(session)', 'Session').\(method)(\(arguments))")
    }

    /// Says as logind that a session was locked of which nobody can say whose it was.
    package func lockForgottenSession() throws {
        let path = "/org/freedesktop/login1/session/gone"
        try mock(
            "AddObject",
            "'\(path)', one + '.Session', dbus.Dictionary({}, signature='sv'), dbus.Array([], signature='(ssss)')")
        try python(
            "dbus.Interface(bus.get_object(one, '\(path)'), 'org.freedesktop.DBus.Mock')"
                + ".EmitSignal(one + '.Session', 'Lock', '', dbus.Array([], signature='v'))")
    }

    /// Says that the machine is about to sleep, or woke up.
    package func prepareForSleep(_ isAhead: Bool) throws {
        let value = isAhead ? "True" : "False"
        try mock("EmitSignal", "'org.freedesktop.login1.Manager', 'PrepareForSleep', 'b', [\(value)]")
    }

    /// What delays sleep now: what, who, and how, of each.
    package func inhibitors() throws -> [String] {
        try manager("ListInhibitors").split(separator: "\n").map(String.init)
    }

    /// Waits until so many delay sleep.
    package func awaitInhibitors(_ count: Int) throws {
        try FingerprintScene.repeating { try inhibitors().count == count }
    }

    /// Says as somebody who is not logind that a session was locked and that the machine is about to sleep, to everybody
    /// who listens, and then to each connection by itself; all of it has arrived when this returns.
    package func pretendEvents(_ session: String) throws {
        try python(
            """
            names = [None] + [name for name in bus.list_names() if name.startswith(':')]
            for name in names:
                for path, kind, member, values in (
                    ('/session/\(session)', 'Session', 'Lock', ()), ('', 'Manager', 'PrepareForSleep', (True,))):
                    signal = dbus.lowlevel.SignalMessage('/org/freedesktop/login1' + path, one + '.' + kind, member)
                    signal.append(*values)
                    if name: signal.set_destination(name)
                    bus.send_message(signal)
            # The answer to a call comes after everything that was sent before it.
            bus.list_names()
            """)
    }

    @discardableResult
    private func manager(_ method: String) throws -> String {
        try python("for one in logind('', 'Manager').\(method)(): print(*one[:4], sep='|')")
    }

    private func mock(_ method: String, _ arguments: String) throws {
        try python(
            "dbus.Interface(bus.get_object(one, '/org/freedesktop/login1'), 'org.freedesktop.DBus.Mock')"
                + ".\(method)(\(arguments))")
    }

    /// Runs a few lines on this bus, to their end, which comes in time.
    @discardableResult
    private func python(_ lines: String) throws -> String {
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["-s", "KILL", "60", "/usr/bin/python3", "-c", LogindScene.prelude + lines]
        process.environment = environment
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Trouble("\(lines): \(output)") }
        return output
    }

    private var environment: [String: String] {
        ["PATH": "/usr/bin:/bin", "DBUS_SYSTEM_BUS_ADDRESS": address]
    }

    private static let prelude = """
        import dbus, dbus.lowlevel
        one = 'org.freedesktop.login1'
        bus = dbus.SystemBus()
        def logind(path, kind):
            return dbus.Interface(bus.get_object(one, '/org/freedesktop/login1' + path), one + '.' + kind)

        """

    private var configuration: String {
        """
        <busconfig>
          <type>session</type>
          <listen>\(address)</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow user="*"/><allow own="*"/>
            <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
          </policy>
        </busconfig>
        """
    }
}
