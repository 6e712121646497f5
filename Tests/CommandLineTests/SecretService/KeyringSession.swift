// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses

/// A session with a bus, a home and the installed gnome-keyring, in which a script runs to its end.
final class KeyringSession {
    struct Trouble: Error, CustomStringConvertible {
        let description: String
    }

    let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        _ = try folder.makeFolder("run")
        _ = try folder.makeFolder("home")
    }

    /// Runs a script of Python after the words that it has in common with others, and returns what it gave to `tell`.
    func run<Result: Decodable>(_ script: String, as type: Result.Type) throws -> Result {
        try Data((KeyringSession.words + script).utf8).write(to: URL(fileURLWithPath: folder.file("script.py")))
        let started = try HelperProcess(
            ["--", "/usr/bin/python3", folder.file("script.py")], environment: try environment,
            output: folder.file("output"), program: "/usr/bin/dbus-run-session")
        let ending = started.wait()
        guard ending == .exited(0) else { throw Trouble(description: "\(ending): \(folder.text("output"))") }
        return try JSONDecoder().decode(Result.self, from: Data(contentsOf: URL(fileURLWithPath: folder.file("told"))))
    }

    private var environment: [String: String] {
        get throws {
            [
                "PATH": "/usr/bin:/bin", "HOME": folder.file("home"), "XDG_RUNTIME_DIR": folder.file("run"),
                // The bus takes HOME from passwd.
                "XDG_DATA_HOME": folder.file("home/.local/share"), "LC_ALL": "C.UTF-8", "LLAVERO_ENCLAVE": "software",
                "TOLD": folder.file("told"), "LLAVERO": try ToolScene.built("llavero"),
                "LLAVEROD": try ToolScene.built("llaverod"),
            ].merging(TestEnvironment.withoutSystemDaemon) { $1 }
        }
    }

    private static let words = """
        import dbus, hashlib, json, os, subprocess, sys, time
        SECRETS = 'org.freedesktop.secrets'
        PROPERTIES = 'org.freedesktop.DBus.Properties'
        bus = dbus.SessionBus()

        def tell(value):
            json.dump(value, open(os.environ['TOLD'], 'w'))

        def llavero(*words):
            done = subprocess.run([os.environ['LLAVERO'], *words], capture_output=True, text=True)
            return {'code': done.returncode, 'output': done.stdout, 'complaint': done.stderr}

        def owner(name):
            until(lambda: bus.name_has_owner(name))

        def until(holds):
            for _ in range(4000):
                if holds(): return
                time.sleep(0.005)
            sys.exit('it did not happen')

        def gnome_keyring():
            daemon = subprocess.Popen(
                ['/usr/bin/gnome-keyring-daemon', '--foreground', '--unlock', '--components=secrets'],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            daemon.stdin.write(b'password')
            daemon.stdin.close()
            owner(SECRETS)
            return daemon

        def ours(*words):
            daemon = subprocess.Popen([os.environ['LLAVEROD'], '--no-lock-events', *words])
            return daemon

        class Client:
            def __init__(self, name=SECRETS):
                self.name = name
                self.service = bus.get_object(name, '/org/freedesktop/secrets')
                _, self.session = self.service.OpenSession(
                    'plain', dbus.String('', variant_level=1), dbus_interface='org.freedesktop.Secret.Service')

            def secret(self, value, kind='text/plain'):
                return dbus.Struct(
                    (dbus.ObjectPath(self.session), dbus.ByteArray(b''), dbus.ByteArray(value), dbus.String(kind)),
                    signature='oayays')

            def collection(self, label):
                path = self.service.CreateWithMasterPassword(
                    dbus.Dictionary(
                        {'org.freedesktop.Secret.Collection.Label': dbus.String(label, variant_level=1)},
                        signature='sv'), self.secret(b'password'),
                    dbus_interface='org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface')
                return bus.get_object(self.name, path)

            def default(self):
                path = self.service.ReadAlias('default', dbus_interface='org.freedesktop.Secret.Service')
                return bus.get_object(self.name, path)

            def store(self, collection, label, attributes, value):
                collection.CreateItem(
                    dbus.Dictionary({
                        'org.freedesktop.Secret.Item.Label': dbus.String(label, variant_level=1),
                        'org.freedesktop.Secret.Item.Attributes':
                            dbus.Dictionary(attributes, signature='ss', variant_level=1)}, signature='sv'),
                    self.secret(value), False, dbus_interface='org.freedesktop.Secret.Collection')

            def everything(self):
                items = []
                collections = self.service.Get(
                    'org.freedesktop.Secret.Service', 'Collections', dbus_interface=PROPERTIES)
                for path in collections:
                    facts = bus.get_object(self.name, path).GetAll(
                        'org.freedesktop.Secret.Collection', dbus_interface=PROPERTIES)
                    for item in facts['Items']:
                        item = bus.get_object(self.name, item)
                        about = item.GetAll('org.freedesktop.Secret.Item', dbus_interface=PROPERTIES)
                        value = item.GetSecret(
                            dbus.ObjectPath(self.session), dbus_interface='org.freedesktop.Secret.Item')
                        items.append({
                            'collection': str(facts['Label']), 'label': str(about['Label']),
                            'attributes': {str(k): str(v) for k, v in about['Attributes'].items()},
                            'created': int(about['Created']), 'modified': int(about['Modified']),
                            'secret': bytes(value[2]).hex(), 'kind': str(value[3])})
                return sorted(items, key=lambda item: json.dumps(item, sort_keys=True))


        """
}

/// What a verb said, as the scripts tell it.
struct Said: Decodable {
    let code: Int32
    let output: String
    let complaint: String
}

/// An item as a provider shows it.
struct ShownSecret: Decodable, Equatable {
    let collection: String
    let label: String
    let attributes: [String: String]
    let created: Int
    let modified: Int
    let secret: String
    let kind: String
}
