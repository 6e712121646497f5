// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainBus
internal import KeychainModel
internal import KeychainSystem

/// Locking, unlocking and making collections, and the prompts that it takes.
extension ServiceCore {
    /// Answers which of the objects are unlocked, each by the very text it was asked for and once, and the prompt for the others.
    func unlock(_ paths: [String], _ client: BusClient) throws(BusFault) -> [BusValue] {
        var unlocked: [String] = []
        var toAsk: [(path: String, collection: ServedCollection)] = []
        var seen: Set<String> = []
        for path in paths where seen.insert(path).inserted {
            guard let object = ObjectPath(path), let found = lockable(object) else { continue }
            if isLocked(found, for: client) { toAsk.append((path, found)) } else { unlocked.append(path) }
        }
        // Nobody is asked again for what was refused for good.
        if toAsk.isEmpty || policy.admission(of: client) == .refused {
            return [.paths(unlocked), .path(ObjectPath.none)]
        }
        let wanted = toAsk
        let prompt = try prompts.make(for: client.name, dismissed: .paths([])) { [self] _, cancellation in
            let opened = open(wanted.map(\.collection), for: client, cancellation)
            let paths = wanted.filter { opened.contains($0.collection.id) }.map(\.path)
            return PromptOutcome(isDismissed: paths.isEmpty, result: .paths(paths))
        }
        return [.paths(unlocked), .path(prompt)]
    }

    /// Asks for what keeps a client out of collections; the ones that are open to it then.
    private func open(
        _ wanted: [ServedCollection], for client: BusClient, _ cancellation: Cancellation
    ) -> Set<String> {
        guard isAdmitted(client, cancellation) else { return [] }
        var opened: Set<String> = []
        for found in wanted where !opened.contains(found.id) {
            // Somebody else may have unlocked it meanwhile.
            let name = policy.shownName(of: client)
            if !found.isLocked || askPasscode(of: found, client, name, cancellation) { opened.insert(found.id) }
        }
        return opened
    }

    private func isAdmitted(_ client: BusClient, _ cancellation: Cancellation) -> Bool {
        switch policy.admission(of: client) {
        case .allowed: return true
        case .refused: return false
        case .undecided:
            guard policy.mayAsk(about: client) else { return false }
            let question: PromptQueue<String, Bool, PromptError>.Prompt = { [self] cancellation throws(PromptError) in
                decides(about: client, cancellation)
            }
            return (try? questions.answer(to: "allow \(policy.program(of: client).key)", cancellation, question))
                ?? false
        }
    }

    private func decides(about client: BusClient, _ cancellation: Cancellation) -> Bool {
        let agrees = seat.agrees(
            client, title: "Use of the keychain",
            description: "\(policy.shownName(of: client)) wants to use your passwords. You will not be asked again.",
            ok: "Allow", cancel: "Refuse", cancellation)
        // What was taken back was not decided.
        if cancellation.isTripped { return false }
        policy.keep(agrees, for: client)
        return agrees ?? false
    }

    /// One question at a time, and one for all who wait for the same collection; it is taken back when somebody else unlocks
    /// that, as a login does.
    private func askPasscode(
        of found: ServedCollection, _ client: BusClient, _ name: String, _ cancellation: Cancellation
    ) -> Bool {
        do throws(PromptError) {
            let isOpen = try questions.answer(to: "unlock \(found.id)", cancellation) {
                [self] (cancellation) throws(PromptError) in
                unlocking.withLock { $0[found.id] = cancellation }
                defer { unlocking.withLock { $0[found.id] = nil } }
                return found.isLocked ? asksPasscode(of: found, client, name, cancellation) : true
            }
            return isOpen || !found.isLocked
        } catch { return !found.isLocked }
    }

    /// Takes questions back whose answer is not needed any more.
    func noteLock(of found: ServedCollection) {
        guard let cancellation = unlocking.withLock({ $0[found.id] }), !found.isLocked else { return }
        cancellation.trip()
    }

    private func asksPasscode(
        of found: ServedCollection, _ client: BusClient, _ name: String, _ cancellation: Cancellation
    ) -> Bool {
        let isOpen = seat.ask(
            client, title: "Unlock a keychain",
            description: "\(name) wants to use the keychain \"\(found.label)\", which is locked.",
            prompt: "Passcode:", confirms: false, cancellation
        ) { secret in
            do throws(KeychainError) {
                guard let passcode = Passcode(of: secret) else { return ServiceCore.noPasscode }
                try found.unlock(passcode)
                return nil
            } catch { return error.description }
        }
        if isOpen { tellLock(of: found) }
        return isOpen
    }

    /// Locks them; answers those that are locked now.
    func lock(_ paths: [String]) -> [String] {
        var locked: [String] = []
        for path in paths where !locked.contains(path) {
            guard let object = ObjectPath(path), let found = lockable(object) else { continue }
            let wasLocked = found.isLocked
            guard (try? found.lock()) != nil, found.isLocked else { continue }
            if !wasLocked { tellLock(of: found) }
            locked.append(path)
        }
        return locked
    }

    /// What is locked or unlocked when an object is; nil where there is no such object.
    private func lockable(_ object: ObjectPath) -> ServedCollection? {
        switch object {
        case .collection, .alias: return try? collection(object)
        case .item, .aliasedItem:
            guard let (found, id) = try? item(object) else { return nil }
            do throws(KeychainError) { return try found.items.entry(id) == nil ? nil : found } catch {
                // Whether there is such an item is known when it is unlocked.
                return found
            }
        case .service, .session, .prompt: return nil
        }
    }

    /// A new collection has a passcode of its own, which a person thinks of.
    func createCollection(_ label: String, _ alias: String, _ client: BusClient) throws(BusFault) -> [BusValue] {
        if !alias.isEmpty {
            let id = try ServiceCore.translating { () throws(KeychainError) in try collections.id(ofAlias: alias) }
            if let id { return [.path(ObjectPath.collection(id).text), .path(ObjectPath.none)] }
        }
        let prompt = try prompts.make(for: client.name, dismissed: .path(ObjectPath.none)) { [self] _, cancellation in
            let made = isAdmitted(client, cancellation) ? askForNew(label, alias, client, cancellation) : nil
            return PromptOutcome(
                isDismissed: made == nil, result: .path(made.map { ObjectPath.collection($0).text } ?? ObjectPath.none))
        }
        return [.path(ObjectPath.none), .path(prompt)]
    }

    private func askForNew(
        _ label: String, _ alias: String, _ client: BusClient, _ cancellation: Cancellation
    ) -> String? {
        let made = ForkSafeMutex<String?>(nil)
        _ = seat.ask(
            client, title: "New keychain",
            description:
                "\(policy.shownName(of: client)) wants to make the keychain \"\(label)\". Think of a passcode for it; an empty one leaves it unlocked for good.",
            prompt: "New passcode:", confirms: true, cancellation
        ) { [collections] secret in
            do throws(KeychainError) {
                let passcode = Passcode(of: secret)
                guard passcode != nil || secret.count == 0 else { return ServiceCore.noPasscode }
                let id = try collections.make(label, passcode)
                made.withLock { $0 = id }
                return nil
            } catch { return error.description }
        }
        guard let id = made.withLock({ $0 }) else { return nil }
        if !alias.isEmpty { try? collections.setAlias(alias, to: id) }
        tellNew(id)
        return id
    }

    func tellNew(_ id: String) {
        port.tell(
            "CollectionCreated", of: SecretInterface.service, at: ObjectPath.service.text,
            [.path(ObjectPath.collection(id).text)])
        tellCollections()
    }

    /// Asks for the passcode of a collection that is locked, for a program of that name; whether it is open then.
    func opens(
        _ found: ServedCollection, for client: BusClient, named name: String, _ cancellation: Cancellation
    ) -> Bool { askPasscode(of: found, client, name, cancellation) }

    static let noPasscode = "A passcode has between 1 and \(Passcode.longest) bytes."
}

extension Passcode {
    /// What a person typed; nil where it is empty or too long.
    convenience init?(of secret: borrowing SecretBytes) {
        unsafe self.init(count: secret.count) { output in
            unsafe secret.withUnsafeBytes { bytes in unsafe output.copyMemory(from: bytes) }
        }
    }
}
