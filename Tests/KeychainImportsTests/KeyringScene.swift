// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// A gnome-keyring of a test's own, which writes one file and is gone.
struct KeyringScene {
    struct Item: Encodable {
        let label: String
        let attributes: [String: String]
        /// In hexadecimal digits.
        let secret: String

        init(_ label: String, _ attributes: [String: String], _ secret: [UInt8]) {
            self.label = label
            self.attributes = attributes
            self.secret = secret.map { String(format: "%02x", $0) }.joined()
        }
    }

    private struct Order: Encodable {
        let password: String
        let keyrings: [[Item]]
    }

    /// The files that gnome-keyring writes, one for each list of items; with no password they are texts.
    static func files(password: String, _ lists: [[Item]]) throws -> [[UInt8]] {
        let folder = try TestFolder()
        let runtime = try folder.makeFolder("run")
        let keyrings = try folder.makeFolder("keyrings")
        try JSONEncoder().encode(Order(password: password, keyrings: lists))
            .write(to: URL(fileURLWithPath: folder.file("order")))
        try Command.run(
            ["/usr/bin/dbus-run-session", "--", "/usr/bin/python3", "-c", script, folder.file("order")],
            environment: [
                "PATH": "/usr/bin:/bin", "HOME": folder.path, "XDG_DATA_HOME": folder.path, "XDG_RUNTIME_DIR": runtime,
                "LC_ALL": "C.UTF-8",
            ])
        return try lists.indices.map { number in
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: keyrings + "/made\(number).keyring")))
        }
    }

    private static let script = """
        import dbus, json, subprocess, sys, time
        order = json.load(open(sys.argv[1]))
        daemon = subprocess.Popen(
            ['/usr/bin/gnome-keyring-daemon', '--foreground', '--unlock', '--components=secrets'],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        daemon.stdin.write(b'login')
        daemon.stdin.close()
        bus = dbus.SessionBus()
        secrets = 'org.freedesktop.secrets'
        for _ in range(2000):
            if bus.name_has_owner(secrets): break
            time.sleep(0.005)
        service = bus.get_object(secrets, '/org/freedesktop/secrets')
        _, session = service.OpenSession('plain', dbus.String('', variant_level=1),
                                         dbus_interface='org.freedesktop.Secret.Service')
        def secret(value):
            return dbus.Struct((dbus.ObjectPath(session), dbus.ByteArray(b''), dbus.ByteArray(value),
                                dbus.String('text/plain')), signature='oayays')
        for number, items in enumerate(order['keyrings']):
            label = dbus.String('made%d' % number, variant_level=1)
            path = service.CreateWithMasterPassword(
                dbus.Dictionary({'org.freedesktop.Secret.Collection.Label': label}, signature='sv'),
                secret(order['password'].encode()),
                dbus_interface='org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface')
            collection = bus.get_object(secrets, path)
            for item in items:
                collection.CreateItem(
                    dbus.Dictionary({
                        'org.freedesktop.Secret.Item.Label': dbus.String(item['label'], variant_level=1),
                        'org.freedesktop.Secret.Item.Attributes':
                            dbus.Dictionary(item['attributes'], signature='ss', variant_level=1)}, signature='sv'),
                    secret(bytes.fromhex(item['secret'])), True, dbus_interface='org.freedesktop.Secret.Collection')
        daemon.terminate()
        daemon.wait()
        """
}

/// Programs that run to their end, which comes in time.
enum Command {
    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    @discardableResult
    static func run(_ words: [String], environment: [String: String], input: [UInt8] = []) throws -> String {
        let program = words.first { $0 != "--" } ?? ""
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Trouble(description: "\(program) is missing; Scripts/install-packages.sh test installs it")
        }
        let folder = try TestFolder()
        try Data(input).write(to: URL(fileURLWithPath: folder.file("input")))
        // Started with no signal blocked, unlike by a thread of the tests: these programs end one another by signals.
        let started = try HelperProcess(
            ["-c", "exec \"$@\" <\"$0\"", folder.file("input")] + words, environment: environment,
            output: folder.file("output"), program: "/bin/sh")
        let ending = started.wait()
        let text = folder.text("output")
        guard ending == .exited(0) else { throw Trouble(description: "\(words.prefix(2)): \(ending) \(text)") }
        return text
    }
}
