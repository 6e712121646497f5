// SPDX-License-Identifier: Apache-2.0

internal import KeychainAudit
internal import KeychainAuthentication
internal import KeychainBus
internal import KeychainModel
internal import KeychainSystem

/// Does what clients ask for, on threads that may wait for the disk.
final class ServiceCore: Sendable {
    let port: BusPort
    let collections: SecretCollections
    let clients: ClientTable
    let queues: WorkQueues
    let sessions = SessionTable()
    let prompts: PromptTable
    let policy: ProgramPolicy
    let seat: Seat
    /// What a person is asked, one question at a time.
    let questions = PromptQueue<String, Bool, PromptError>()
    /// What takes back the questions for passcodes, by the collections that they are to open.
    let unlocking = ForkSafeMutex<[String: Cancellation]>([:])
    /// Searches that wait for a first unlock, with whose they are.
    private let searching = ForkSafeMutex<[UInt64: (owner: String, cancellation: Cancellation)]>([:])

    init(
        _ port: BusPort, _ collections: SecretCollections, _ seat: Seat, _ policy: ProgramPolicy
    ) throws(WaitFailure) {
        self.port = port
        self.collections = collections
        self.seat = seat
        self.policy = policy
        clients = ClientTable(port)
        prompts = PromptTable(port)
        queues = try WorkQueues()
        collections.listen { [weak self] found, news in self?.tell(news, of: found) }
    }

    /// Tells everybody what others did to a collection; on their thread, so what has to be looked up for it is left to another.
    private func tell(_ news: CollectionNews, of found: ServedCollection) {
        let path = ObjectPath.collection(found.id).text
        switch news {
        case .items(let changes):
            for change in changes {
                let (member, id) =
                    switch change {
                    case .made(let id): ("ItemCreated", id)
                    case .changed(let id): ("ItemChanged", id)
                    case .removed(let id): ("ItemDeleted", id)
                    }
                port.tell(
                    member, of: SecretInterface.collection, at: path,
                    [.path(ObjectPath.item(collection: found.id, id: id).text)])
            }
            _ = queues.post("") { [self] in tellItems(of: found) }
        case .unknown: _ = queues.post("") { [self] in tellItems(of: found, evenMany: true) }
        case .lockChanged:
            _ = queues.post("") { [self] in
                noteLock(of: found)
                tellLock(of: found)
            }
        }
    }

    /// Does what a connection left behind; it is gone.
    func forget(_ name: String) {
        clients.forget(name)
        prompts.forget(name)
        for (owner, cancellation) in searching.withLock({ Array($0.values) }) where owner == name {
            cancellation.trip()
        }
        // What is being done for it now may still open a session or make a prompt.
        queues.end(name) { [sessions, prompts] in
            sessions.forget(name)
            prompts.forget(name)
        }
    }

    /// Does what a client asks for and answers it.
    func perform(_ request: ServiceRequest, for client: BusClient, _ ticket: UInt64) {
        do throws(BusFault) {
            if case .prompt(let id, let window) = request {
                // Answered before the person is asked, who may be faster than this thread.
                return try prompts.show(id, for: client.name, window: window) { port.answer(ticket, .values([])) }
            }
            if case .search(.service, let attributes) = request {
                return try search(attributes, for: client, ticket)
            }
            port.answer(ticket, .values(try answer(to: request, for: client)))
        } catch { port.answer(ticket, .failure(error)) }
    }

    private func answer(to request: ServiceRequest, for client: BusClient) throws(BusFault) -> [BusValue] {
        switch request {
        case .openSession(let algorithm, let input): try openSession(algorithm, input, client)
        case .createCollection(let label, let alias): try createCollection(label, alias, client)
        case .search(let path, let attributes): try search(path, attributes, client)
        case .unlock(let paths): try unlock(paths, client)
        case .lock(let paths): [.paths(lock(paths)), .path(ObjectPath.none)]
        case .secrets(let paths, let session): try secrets(paths, session, client)
        case .readAlias(let name): try readAlias(name)
        case .setAlias(let name, let path): try setAlias(name, path)
        case .delete(let path): try delete(path, client)
        case .createItem(let path, let label, let attributes, let secret, let replacing):
            try createItem(path, label, attributes, secret, replacing: replacing, client)
        case .secret(let path, let session): try secret(path, session, client)
        case .setSecret(let path, let secret): try setSecret(path, secret, client)
        case .close(let id): try closed(id, client)
        case .prompt: []
        case .dismiss(let id): try dismissed(id, client)
        case .introspect(let path): [.text(introspection(path, client))]
        case .property(let path, let interface, let name): try property(path, interface, name, client)
        case .properties(let path, let interface): try properties(path, interface, client)
        case .setProperty(let path, let interface, let name, let value):
            try setProperty(path, interface, name, value, client)
        }
    }

    // MARK: Sessions and prompts

    private func openSession(
        _ algorithm: String, _ input: BusValue, _ client: BusClient
    ) throws(BusFault) -> [BusValue] {
        switch algorithm {
        case SecretTransport.plainName:
            guard input.asText == "" else { throw .arguments("a plain session takes an empty text") }
            return [.variant(.text("")), .path(try sessions.open(.plain, for: client.name))]
        case SecretTransport.aesName:
            guard let key = input.asBytes else { throw .arguments("the public key is given as bytes") }
            let (transport, publicKey) = try agree(key)
            return [
                .variant(.bytes(SecretValue(copying: publicKey))),
                .path(try sessions.open(transport, for: client.name)),
            ]
        default:
            // The one error after which clients try a plain session.
            throw BusFault(BusFault.notSupported, "there is no such algorithm here")
        }
    }

    private func agree(_ key: SecretValue) throws(BusFault) -> (SecretTransport, [UInt8]) {
        do throws(SecretTransportError) { return try SecretTransport.agree(withPublicKey: key) } catch {
            throw ServiceCore.fault(error)
        }
    }

    private func closed(_ id: String, _ client: BusClient) throws(BusFault) -> [BusValue] {
        try sessions.close(id, of: client.name)
        return []
    }

    private func dismissed(_ id: String, _ client: BusClient) throws(BusFault) -> [BusValue] {
        try prompts.dismiss(id, for: client.name)
        return []
    }

    // MARK: Searching and reading

    private func search(
        _ path: ObjectPath, _ attributes: [String: String], _ client: BusClient
    ) throws(BusFault) -> [BusValue] {
        if case .service = path { return try searchAll(attributes, client) }
        let found = try collection(path)
        return [.paths(try hits(in: found, attributes))]
    }

    /// Searches everywhere; before the first unlock of the usual keychain the person is asked to unlock it, if there is a display,
    /// and the answer waits for that.
    private func search(
        _ attributes: [String: String], for client: BusClient, _ ticket: UInt64
    ) throws(BusFault) {
        do throws(BusFault) { return port.answer(ticket, .values(try searchAll(attributes, client))) } catch {
            guard error == .isLocked, seat.canAsk(client), policy.admission(of: client) == .allowed else { throw error }
        }
        let found = try collection(.collection(CollectionList.login))
        let failure = NamedThread.start("secret-prompt") { [self] in
            let cancellation = Cancellation()
            searching.withLock { $0[ticket] = (client.name, cancellation) }
            _ = opens(found, for: client, named: policy.shownName(of: client), cancellation)
            searching.withLock { _ = $0.removeValue(forKey: ticket) }
            do throws(BusFault) { port.answer(ticket, .values(try searchAll(attributes, client))) } catch {
                port.answer(ticket, .failure(error))
            }
        }
        if failure != 0 { throw .isLocked }
    }

    /// All collections; one that cannot tell yet makes an empty answer impossible, for that would be untrue.
    private func searchAll(_ attributes: [String: String], _ client: BusClient) throws(BusFault) -> [BusValue] {
        var (unlocked, locked): ([String], [String]) = ([], [])
        var untold: BusFault?
        for found in try ServiceCore.translating({ () throws(KeychainError) in try collections.all() }) {
            do throws(BusFault) {
                let paths = try hits(in: found, attributes)
                if isLocked(found, for: client) { locked += paths } else { unlocked += paths }
            } catch { untold = error }
        }
        if let untold, unlocked.isEmpty, locked.isEmpty { throw untold }
        return [.paths(unlocked), .paths(locked)]
    }

    private func hits(in found: ServedCollection, _ attributes: [String: String]) throws(BusFault) -> [String] {
        try ServiceCore.translating { () throws(KeychainError) in try found.items.search(attributes) }
            .map { ObjectPath.item(collection: found.id, id: $0).text }
    }

    private func secrets(
        _ paths: [String], _ session: String, _ client: BusClient
    ) throws(BusFault) -> [BusValue] {
        let transport = try sessions.transport(at: session, of: client.name)
        var wanted: [String: [(path: String, id: String)]] = [:]
        for path in Set(paths) {
            guard let object = ObjectPath(path), let (found, id) = try? item(object) else { continue }
            wanted[found.id, default: []].append((path, id))
        }
        var pairs: [(key: BusValue, value: BusValue)] = []
        for (name, items) in wanted.sorted(by: { $0.key < $1.key }) {
            // What is locked is left out, as what is not there.
            let found = try collection(.collection(name))
            guard !isLocked(found, for: client) else { continue }
            let secrets = try ServiceCore.translating { () throws(KeychainError) in
                try found.items.secrets(of: items.map(\.id))
            }
            record(.findSecrets, found, client, count: secrets.count)
            for item in items {
                guard let (secret, contentType) = secrets[item.id] else { continue }
                pairs.append((.path(item.path), try sealed(secret, contentType, transport, session)))
            }
        }
        return [.dictionary("o", "(oayays)", pairs)]
    }

    private func secret(_ path: ObjectPath, _ session: String, _ client: BusClient) throws(BusFault) -> [BusValue] {
        let transport = try sessions.transport(at: session, of: client.name)
        let (found, id) = try item(path)
        try requireUnlocked(found, client)
        let secret = try ServiceCore.translating { () throws(KeychainError) in try found.items.secret(of: id) }
        guard let (value, contentType) = secret else { throw .noSuchObject }
        record(.findSecrets, found, client, count: 1)
        return [try sealed(value, contentType, transport, session)]
    }

    private func sealed(
        _ secret: SecretValue, _ contentType: String, _ transport: SecretTransport, _ session: String
    ) throws(BusFault) -> BusValue {
        do throws(SecretTransportError) {
            let (parameters, value) = try transport.seal(secret)
            return .structure([
                .path(session), .bytes(SecretValue(copying: parameters)), .bytes(value), .text(contentType),
            ])
        } catch { throw ServiceCore.fault(error) }
    }

    func opened(_ secret: SealedSecret, _ client: BusClient) throws(BusFault) -> SecretValue {
        let transport = try sessions.transport(at: secret.session, of: client.name)
        do throws(SecretTransportError) {
            return try transport.open(parameters: secret.parameters, value: secret.value)
        } catch { throw ServiceCore.fault(error) }
    }

    // MARK: Changing

    private func createItem(
        _ path: ObjectPath, _ label: String, _ attributes: [String: String], _ sealed: SealedSecret, replacing: Bool,
        _ client: BusClient
    ) throws(BusFault) -> [BusValue] {
        let found = try collection(path)
        let secret = try opened(sealed, client)
        // Not a prompt: some programs take one for a success, and nothing would be stored.
        try requireUnlocked(found, client)
        let (id, isReplaced) = try ServiceCore.translating { () throws(KeychainError) in
            try found.items.create(
                label: label, attributes: attributes, contentType: sealed.contentType, secret: secret,
                replacing: replacing)
        }
        record(isReplaced ? .update : .add, found, client, count: 1)
        let item = ObjectPath.item(collection: found.id, id: id).text
        tell(isReplaced ? "ItemChanged" : "ItemCreated", of: found, item)
        return [.path(item), .path(ObjectPath.none)]
    }

    private func setSecret(
        _ path: ObjectPath, _ sealed: SealedSecret, _ client: BusClient
    ) throws(BusFault) -> [BusValue] {
        let (found, id) = try item(path)
        let secret = try opened(sealed, client)
        try requireUnlocked(found, client)
        let isThere = try ServiceCore.translating { () throws(KeychainError) in
            try found.items.setSecret(secret, contentType: sealed.contentType, of: id)
        }
        guard isThere else { throw .noSuchObject }
        record(.update, found, client, count: 1)
        tell("ItemChanged", of: found, ObjectPath.item(collection: found.id, id: id).text)
        return []
    }

    private func delete(_ path: ObjectPath, _ client: BusClient) throws(BusFault) -> [BusValue] {
        switch path {
        case .item, .aliasedItem:
            let (found, id) = try item(path)
            try requireUnlocked(found, client)
            guard try ServiceCore.translating({ () throws(KeychainError) in try found.items.delete(id) }) else {
                throw .noSuchObject
            }
            record(.delete, found, client, count: 1)
            tell("ItemDeleted", of: found, ObjectPath.item(collection: found.id, id: id).text)
        default:
            let found = try collection(path)
            try requireUnlocked(found, client)
            record(.delete, found, client, count: nil)
            try ServiceCore.translating { () throws(KeychainError) in try collections.remove(found.id) }
            port.tell(
                "CollectionDeleted", of: SecretInterface.service, at: ObjectPath.service.text,
                [.path(ObjectPath.collection(found.id).text)])
            tellCollections()
        }
        return [.path(ObjectPath.none)]
    }

    private func readAlias(_ name: String) throws(BusFault) -> [BusValue] {
        let id = try ServiceCore.translating { () throws(KeychainError) in try collections.id(ofAlias: name) }
        return [.path(id.map { ObjectPath.collection($0).text } ?? ObjectPath.none)]
    }

    private func setAlias(_ name: String, _ path: String) throws(BusFault) -> [BusValue] {
        let id: String?
        if path == ObjectPath.none {
            id = nil
        } else {
            guard let object = ObjectPath(path) else { throw .noSuchObject }
            id = try collection(object).id
        }
        try ServiceCore.translating { () throws(KeychainError) in try collections.setAlias(name, to: id) }
        return []
    }

    // MARK: Objects

    /// The collection at a path, or the one that an alias stands for.
    func collection(_ path: ObjectPath) throws(BusFault) -> ServedCollection {
        let found = try ServiceCore.translating { () throws(KeychainError) -> ServedCollection? in
            switch path {
            case .collection(let id): try collections.find(id)
            case .alias(let name):
                try collections.id(ofAlias: name).flatMap { (id) throws(KeychainError) in
                    try collections.find(id)
                }
            default: nil
            }
        }
        guard let found else { throw .noSuchObject }
        return found
    }

    /// The collection and the name of an item, which need not be there.
    func item(_ path: ObjectPath) throws(BusFault) -> (ServedCollection, String) {
        switch path {
        case .item(let collection, let id): (try self.collection(.collection(collection)), id)
        case .aliasedItem(let alias, let id): (try collection(.alias(alias)), id)
        default: throw .noSuchObject
        }
    }

    /// Whether a client finds it locked: its keychain is, or the client may not see what is in it.
    func isLocked(_ found: ServedCollection, for client: BusClient) -> Bool {
        found.isLocked || policy.admission(of: client) != .allowed
    }

    func requireUnlocked(_ found: ServedCollection, _ client: BusClient) throws(BusFault) {
        if isLocked(found, for: client) { throw .isLocked }
    }

    /// Tells everybody what became of an item.
    func tell(_ member: String, of found: ServedCollection, _ item: String) {
        port.tell(member, of: SecretInterface.collection, at: ObjectPath.collection(found.id).text, [.path(item)])
        if member != "ItemChanged" { tellItems(of: found) }
    }

    func record(_ operation: AuditOperation, _ found: ServedCollection, _ client: BusClient, count: Int?) {
        collections.record(operation, in: found, by: client, policy.program(of: client), count: count)
    }

    // MARK: Errors

    static func translating<Result>(
        _ body: () throws(KeychainError) -> Result
    ) throws(BusFault) -> Result {
        do throws(KeychainError) { return try body() } catch { throw fault(error) }
    }

    static func fault(_ error: KeychainError) -> BusFault {
        switch error.reason {
        case .interactionNotAllowed: .isLocked
        case .itemNotFound, .noSuchKeychain, .vanishedKeychain: .noSuchObject
        case .parameter: .arguments(error.description)
        case .missingEntitlement, .authenticationFailed: BusFault(BusFault.accessDenied, error.description)
        case .noSuchAttribute, .noSuchClass, .duplicateItem, .cancelled, .notAvailable, .handedOver, .noDaemon,
            .readOnly, .duplicateKeychain, .unimplemented, .undecodable, .inputOutput, .outOfMemory, .internalError:
            BusFault(BusFault.failed, error.description)
        }
    }

    static func fault(_ error: SecretTransportError) -> BusFault {
        switch error {
        case .refusedKey: .arguments("with this public key no secret can be agreed on")
        case .unreadable: .arguments("the secret is not sealed for this session")
        case .crypto: BusFault(BusFault.failed, "the system's cryptography failed")
        }
    }
}
