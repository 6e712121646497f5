// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBus
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSecretService
internal import KeychainTools

/// `llavero import --from-secret-service`: what another provider of the Secret Service has, asked of it while it runs.
struct SecretServiceImport {
    private let isDry: Bool
    private var outcome: ImportOutcome
    /// The items on their way, by the collection here that they go to, in the order in which collections were met.
    private var shipments: [(target: SecretTarget, items: [OfferedSecret])] = []
    /// How many items the provider has, in collections that last.
    private var count = 0

    private init(_ format: String, isDry: Bool) {
        self.isDry = isDry
        outcome = ImportOutcome(format, isDry: isDry)
    }

    static func run(_ options: Options, _ form: OutputForm) throws(CommandError) {
        guard let address = Bus.ofSession else {
            throw .failure("there is no session bus (DBUS_SESSION_BUS_ADDRESS), so no provider can be asked")
        }
        let name = options.value("--bus-name") ?? SecretService.usualName
        var work = SecretServiceImport("secret-service", isDry: options.has("--dry-run"))
        let registry = try SecretTarget.registry()
        let provider = try asking { () throws(ProviderFailure) in try SecretProvider(on: address, as: name) }
        Tool.say("asking \(PlainText.shown(provider.owner.program.shown)) for its items")
        for collection in try asking({ () throws(ProviderFailure) in try provider.collections() }) {
            try work.collect(collection, from: provider)
        }
        try work.settle(in: registry, options)
        work.outcome.print(form)
        try work.finish()
        if !work.isDry, name == SecretService.usualName {
            try ImportStamp(provider: provider.owner.program.shown, items: work.count).write()
        }
    }

    /// Items of a keyring's file, into the collection that programs use first.
    static func run(
        _ items: [OfferedSecret], of format: String, isDry: Bool, _ options: Options,
        noting note: (inout ImportOutcome) -> Void, _ form: OutputForm
    ) throws(CommandError) {
        var work = SecretServiceImport(format, isDry: isDry)
        work.shipments = [(.usual, items)]
        try work.settle(in: try SecretTarget.registry(), options)
        note(&work.outcome)
        work.outcome.print(form)
        try work.finish()
    }

    private func finish() throws(CommandError) {
        guard outcome.missing == 0 else {
            throw .failure("\(outcome.missing) of the items left out may be a loss; the remarks show why")
        }
    }

    // MARK: Asking

    private mutating func collect(
        _ listed: SecretProvider.Collection, from provider: SecretProvider
    ) throws(CommandError) {
        var collection = listed
        let shown = collection.label.isEmpty ? collection.path : collection.label
        let line = ImportOutcome.Line(name: shown, account: "", source: collection.path)
        guard !collection.isTemporary else {
            if !collection.items.isEmpty {
                outcome.leftOut(
                    line, count: collection.items.count, "they are in memory, and end with the session", isLoss: false)
            }
            return
        }
        let isOpen = try SecretServiceImport.asking { () throws(ProviderFailure) in try provider.unlock(&collection) }
        count += collection.items.count
        guard isOpen else {
            outcome.leftOut(
                line, count: max(1, collection.items.count), "the collection is locked, and was not unlocked")
            return
        }
        var bar = ProgressBar("reading \(PlainText.shown(shown))", of: collection.items.count)
        var silent: [(ImportOutcome.Line, String)] = []
        let items = try SecretServiceImport.asking { () throws(ProviderFailure) in
            try provider.secrets(of: collection) { name, path, reason in
                silent.append((ImportOutcome.Line(name: name, account: "", source: path), reason))
            } step: {
                bar.step(to: $0)
            }
        }
        bar.end()
        for (line, reason) in silent { outcome.leftOut(line, reason) }
        let target = collection.isUsual ? SecretTarget.usual : .named(collection.label)
        if let index = shipments.firstIndex(where: { $0.target == target }) {
            shipments[index].items += items
        } else {
            shipments.append((target, items))
        }
    }

    private static func asking<Result>(
        _ body: () throws(ProviderFailure) -> Result
    ) throws(CommandError) -> Result {
        do throws(ProviderFailure) { return try body() } catch { throw .failure("\(error)") }
    }

    // MARK: Storing

    private mutating func settle(in registry: CollectionRegistry, _ options: Options) throws(CommandError) {
        for (target, items) in shipments where !items.isEmpty {
            let keychain = try target.keychain(in: registry, makesIt: !isDry, options)
            let isThere = try keychain?.isThere ?? false
            if let keychain, !isDry { _ = DailySnapshot.make(of: keychain, isPatient: false) }
            var intake = try SecretServiceImport.intake(isThere ? keychain : nil)
            let arrivals = items.sorted { ($0.created, $0.source) < ($1.created, $1.source) }
            for item in arrivals { note(item, intake.take(item)) }
            for item in arrivals where intake.isBehindOther(item) {
                outcome.changed(
                    line(item), "programs find another item with the same attributes, which was changed no earlier")
            }
            guard !isDry, let keychain else { continue }
            try SecretServiceImport.store(&intake, keychain)
            let missing = try keychain.unlocking { () throws(KeychainError) in try intake.missing() }
            for item in missing { outcome.leftOut(line(item), "it was read again, and is not here as it is there") }
        }
    }

    private static func intake(_ keychain: ToolKeychain?) throws(CommandError) -> SecretIntake {
        guard let keychain else { return SecretIntake() }
        return try keychain.unlocking { () throws(KeychainError) in
            try SecretIntake(try keychain.session(of: .everybody), at: UInt64(clamping: time(nil)))
        }
    }

    private static func store(_ intake: inout SecretIntake, _ keychain: ToolKeychain) throws(CommandError) {
        var bar = ProgressBar("storing", of: intake.count)
        try keychain.unlocking { () throws(KeychainError) in try intake.store { bar.step(to: $0) } }
        bar.end()
    }

    private mutating func note(_ item: OfferedSecret, _ taken: SecretIntake.Outcome) {
        switch taken {
        case .new: outcome.kept(line(item), "item", "")
        case .here: outcome.stays(line(item), "the stored item is unchanged")
        case .twice: outcome.stays(line(item), "the source has it twice, with other times; the later is kept")
        }
        for loss in item.losses {
            outcome.leftOut(
                ImportOutcome.Line(name: "\(item.label) (\(loss))", account: item.account, source: item.source),
                "fields that its provider shows besides; import its own file for them")
        }
    }

    private func line(_ item: OfferedSecret) -> ImportOutcome.Line {
        ImportOutcome.Line(name: item.label, account: item.account, source: item.source)
    }
}

/// The collection here that items go to.
enum SecretTarget: Equatable {
    /// Where programs look that name none: the usual keychain.
    case usual
    /// One that is called so.
    case named(String)

    /// The collections of this user, beside the usual keychain.
    static func registry() throws(CommandError) -> CollectionRegistry {
        let keychain = try ToolKeychain()
        guard !keychain.isOfSystem || !keychain.hasDaemon,
            case .folder(let root, _) = keychain.place
        else {
            throw .failure(
                "the Secret Service is served out of a user's own keychains, and this one is the system's daemon's or in memory"
            )
        }
        return CollectionRegistry(root: root) { UInt64(clamping: time(nil)) }
    }

    /// nil where it is not there and is not to be made.
    func keychain(
        in registry: CollectionRegistry, makesIt: Bool, _ options: Options
    ) throws(CommandError) -> ToolKeychain? {
        let keychain: ToolKeychain
        switch self {
        case .usual: keychain = try ToolKeychain()
        case .named(let label):
            let listed = try ToolKeychain.translating { () throws(KeychainError) -> CollectionList.Collection? in
                let known = try registry.collections().collections.first {
                    $0.label == label && $0.id != CollectionList.login
                }
                if let known { return known }
                return makesIt ? try registry.add(label: label) : nil
            }
            guard let listed else { return nil }
            keychain = try ToolKeychain(written: listed.keychain)
        }
        guard makesIt, try !keychain.isThere else { return keychain }
        _ = try ToolKeychain.translating { () throws(KeychainError) in
            try keychain.host.make(in: nil, makesRecoveryKey: false)
        }
        keychain.tellWhoCanReadIt(options)
        return keychain
    }
}
