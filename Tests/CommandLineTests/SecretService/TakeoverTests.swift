// SPDX-License-Identifier: Apache-2.0

import Testing

@Suite("Becoming the Secret Service, and going back")
struct TakeoverTests {
    /// Everything in the user's home but the keychains: kinds, modes and contents.
    private static let home = """
        def home():
            found = {}
            for folder, folders, files in os.walk(os.environ['HOME']):
                folders[:] = [name for name in folders if name not in ('llavero', '.cache', 'keyrings')]
                for name in folders + files:
                    path = os.path.join(folder, name)
                    about = oct(os.lstat(path).st_mode)
                    if os.path.islink(path): about += ' ' + os.readlink(path)
                    elif os.path.isfile(path): about += ' ' + hashlib.sha256(open(path, 'rb').read()).hexdigest()
                    found[path[len(os.environ['HOME']):]] = about
            return found


        """

    private struct Taken: Decodable {
        let refused: Said
        let before: [String: String]
        let between: [String: String]
        let enabled: Said
        let again: Said
        let now: Said
        let ours: [ShownSecret]
        let theirs: [ShownSecret]
        let status: [String: Bool]
        let doctor: Said
        let disabled: Said
        let after: [String: String]
        let back: [ShownSecret]
        let more: Said
        let twice: Said
    }

    private struct Started: Decodable {
        let unlocked: Said
        let stored: Said
        let hasName: Bool
        let elsewhere: Said
    }

    @Test("started by the bus it takes an agent's place, and for keychains where it is not enabled it fails at once")
    func startedByBus() throws {
        let started = try KeyringSession().run(
            """
            def said(done):
                return {'code': done.returncode, 'output': done.stdout, 'complaint': done.stderr}

            def secret_tool(*before, **more):
                words = [*before, 'secret-tool', 'store', '--label=l', 'k', 'v']
                return said(subprocess.run(words, input='x', capture_output=True, text=True, **more))

            llavero('secret-service', 'enable')
            # As in a step of a job that has no bus yet.
            without = {name: value for name, value in os.environ.items() if name != 'DBUS_SESSION_BUS_ADDRESS'}
            for words in (['passcode', 'set'], ['unlock']):
                done = subprocess.run([os.environ['LLAVERO'], *words, '--stdin'], input='seven wet lanterns',
                    env=without, capture_output=True, text=True)
            told = {'unlocked': said(done), 'stored': secret_tool(), 'hasName': bus.name_has_owner(SECRETS)}
            llavero('lock', '--end-agent')
            until(lambda: not bus.name_has_owner(SECRETS))
            told['elsewhere'] = secret_tool('dbus-run-session', '--',
                env={**os.environ, 'LLAVERO_HOME': os.environ['HOME'] + '/other'})
            tell(told)
            """, as: Started.self)
        #expect(started.unlocked.code == 0, "\(started.unlocked)")
        // The agent had it open, and is there no more.
        #expect(started.stored.complaint.contains("the collection is locked"), "\(started.stored)")
        #expect(started.hasName)
        #expect(started.elsewhere.code == 1)
        #expect(started.elsewhere.complaint.contains("not enabled beside the keychains"), "\(started.elsewhere)")
    }

    @Test("enable leaves no items behind, has programs find them here, and disable brings the old provider back")
    func thereAndBack() throws {
        let taken = try KeyringSession().run(
            TakeoverTests.home + """
                # Files of the user's own that are in the way.
                os.makedirs(os.environ['HOME'] + '/.config/autostart')
                with open(os.environ['HOME'] + '/.config/autostart/gnome-keyring-secrets.desktop', 'w') as file:
                    file.write('[Desktop Entry]\\nName=mine\\n')
                os.makedirs(os.environ['XDG_DATA_HOME'] + '/dbus-1/services')
                os.symlink('/nonexistent', os.environ['XDG_DATA_HOME'] + '/dbus-1/services/org.gnome.keyring.service')
                keyring = gnome_keyring()
                client = Client()
                for number in range(20):
                    client.store(client.default(), 'Item %d' % number, {'number': str(number)}, b'secret %d' % number)
                told = {'theirs': client.everything(), 'refused': llavero('secret-service', 'enable')}
                llavero('import', '--from-secret-service')
                told['before'] = home()
                told['enabled'] = llavero('secret-service', 'enable')
                told['again'] = llavero('secret-service', 'enable')
                told['between'] = home()
                told['now'] = llavero('secret-service', 'enable', '--now')
                keyring.wait()
                # As in a program that the change finds without a provider.
                told['ours'] = Client().everything()
                status = json.loads(llavero('secret-service', '--json')['output'])
                told['status'] = {name: value for name, value in status.items() if type(value) is bool}
                told['doctor'] = llavero('doctor', '--plain')
                told['disabled'] = llavero('secret-service', 'disable')
                told['after'] = home()
                subprocess.run([os.environ['LLAVERO'], 'lock', '--end-agent'], check=True)
                until(lambda: not bus.name_has_owner(SECRETS))
                keyring = gnome_keyring()
                told['back'] = Client().everything()
                told['more'] = llavero('import', '--from-secret-service', '--dry-run')
                told['twice'] = llavero('secret-service', 'disable')
                tell(told)
                keyring.terminate()
                keyring.wait()
                """, as: Taken.self)
        #expect(taken.refused.code == 1 && taken.refused.complaint.contains("has 20 items"))
        #expect(taken.enabled.code == 0, "\(taken.enabled.complaint)")
        #expect(taken.again.code == 0 && taken.between != taken.before)
        #expect(taken.now.code == 0, "\(taken.now.complaint)")
        #expect(taken.theirs.count == 20 && taken.ours == taken.theirs)
        // gnome-keyring names the schema of items without one after its next start; they are the same all the same.
        #expect(taken.back.map(\.secret).sorted() == taken.theirs.map(\.secret).sorted())
        #expect(taken.more.complaint.contains("0 would be kept, 20 here already"))
        #expect(
            taken.status == ["ours": true, "enabled": true, "enabled-for-all": false, "activation-ours": true])
        #expect(taken.doctor.output.contains("good\tsecret service\tllaverod provides it"))
        #expect(taken.disabled.code == 0, "\(taken.disabled.complaint)")
        #expect(taken.after == taken.before)
        #expect(taken.twice.code == 1 && taken.twice.complaint.contains("nothing to take back"))
    }

    private struct Changed: Decodable {
        let enabled: Said
        let refused: Said
        let same: Bool
        let doctor: Said
        let left: Said
        let remaining: [String]
    }

    @Test("a file that somebody changed since is named, and nothing is put back unless it is to stay")
    func changed() throws {
        let changed = try KeyringSession().run(
            TakeoverTests.home + """
                before = set(home())
                told = {'enabled': llavero('secret-service', 'enable', '--without-import')}
                path = os.environ['XDG_DATA_HOME'] + '/dbus-1/services/org.freedesktop.secrets.service'
                with open(path, 'a') as file: file.write('# mine\\n')
                between = home()
                told['refused'] = llavero('secret-service', 'disable')
                told['same'] = home() == between
                told['doctor'] = llavero('doctor', '--plain')
                told['left'] = llavero('secret-service', 'disable', '--leave-changed')
                told['remaining'] = sorted(name for name in set(home()) - before if name.endswith('.service'))
                tell(told)
                """, as: Changed.self)
        let path = "dbus-1/services/org.freedesktop.secrets.service"
        #expect(changed.enabled.code == 0, "\(changed.enabled.complaint)")
        #expect(changed.refused.code == 1 && changed.refused.complaint.contains("\(path) was changed by somebody else"))
        #expect(changed.same)
        #expect(changed.doctor.output.contains("\(path) was changed since"))
        #expect(changed.left.code == 0 && changed.left.complaint.contains("\(path) stays as somebody changed it"))
        #expect(changed.remaining == ["/.local/share/\(path)"])
    }

    private struct Damaged: Decodable {
        let doctor: Said
        let record: Said
    }

    @Test("lists that are damaged are found by doctor, and a damaged note of changes takes nothing back")
    func damaged() throws {
        let damaged = try KeyringSession().run(
            """
            llavero('add', '--generate', 'a place')
            root = os.environ['XDG_DATA_HOME'] + '/llavero'
            os.makedirs(root, exist_ok=True)
            for name in ['.secret-service', '.secret-service-programs', '.secret-service-changes']:
                with open(os.open(root + '/' + name, os.O_CREAT | os.O_WRONLY, 0o600), 'w') as file: file.write('damaged')
            told = {'doctor': llavero('doctor', '--plain'), 'record': llavero('secret-service', 'disable')}
            tell(told)
            """, as: Damaged.self)
        #expect(damaged.doctor.code == 1)
        for list in ["the list of collections is damaged", "the list of programs is damaged"] {
            #expect(damaged.doctor.output.contains(list))
        }
        #expect(damaged.record.code == 1 && damaged.record.complaint.contains("it is not known what was changed"))
    }
}
