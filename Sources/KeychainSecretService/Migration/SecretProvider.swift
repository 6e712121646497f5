// SPDX-License-Identifier: Apache-2.0

package import KeychainBus
internal import KeychainModel
internal import KeychainSystem

/// Another provider of the Secret Service, asked as any program would ask it.
///
/// Its prompts are shown by itself, and wait for the person. For one thread.
package final class SecretProvider {
    /// A collection as the provider lists it.
    package struct Collection: Sendable {
        package let path: String
        package let label: String
        package fileprivate(set) var isLocked: Bool
        /// The paths of its items.
        package fileprivate(set) var items: [String]
        /// Whether programs that name no collection store in it, or look for it by a name that ours has.
        package let isUsual: Bool
        /// Whether it is in memory, and ends with the session.
        package let isTemporary: Bool
    }

    package let owner: NameOwner
    private let bus: Bus
    private let transport: SecretTransport
    private let session: String

    /// The provider that has `name` on the bus at `address`; one that is not running is started if the bus knows how to.
    package init(on address: String, as name: String) throws(ProviderFailure) {
        guard let bus = Bus(address) else { throw .noBus }
        self.bus = bus
        let found: NameOwner?
        do throws(BusFailure) {
            if let running = try NameOwner.find(name, on: bus) {
                found = running
            } else {
                found = try SecretProvider.start(name, bus) ? NameOwner.find(name, on: bus) : nil
            }
        } catch { throw .broken }
        guard let found else { throw .nobody }
        guard !found.isOurs else { throw .ourselves }
        owner = found
        (transport, session) = try SecretProvider.openSession(bus, found)
    }

    /// False where nothing that can be started has the name.
    private static func start(_ name: String, _ bus: Bus) throws(BusFailure) -> Bool {
        do throws(BusFailure) {
            try bus.call(.ofBus("StartServiceByName"), [.text(name), .number(0)], deadline(60))
            return true
        } catch {
            guard case .refused = error else { throw error }
            return false
        }
    }

    private static func openSession(
        _ bus: Bus, _ owner: NameOwner
    ) throws(ProviderFailure) -> (SecretTransport, String) {
        func ask(_ algorithm: String, _ input: BusValue) throws(ProviderFailure) -> (BusValue, String) {
            let answer = try call(
                bus, owner, SecretInterface.service, "OpenSession", at: ObjectPath.service.text,
                [.text(algorithm), .variant(input)])
            guard answer.count == 2, let output = answer[0].inVariant, let session = answer[1].asPath else {
                throw .unreadable
            }
            return (output, session)
        }
        guard let offer = try? SecretOffer() else { throw .unreadable }
        do throws(ProviderFailure) {
            let key = BusValue.bytes(SecretValue(copying: offer.publicKey))
            let (output, session) = try ask(SecretTransport.aesName, key)
            guard let other = output.asBytes, let transport = try? offer.transport(withPublicKey: other) else {
                throw .unreadable
            }
            return (transport, session)
        } catch {
            guard case .refused(let fault) = error, fault.name == BusFault.notSupported else { throw error }
        }
        // The person's own programs get their secrets so from it.
        return (.plain, try ask(SecretTransport.plainName, .text("")).1)
    }

    // MARK: What it has

    /// Its collections, as they are now.
    package func collections() throws(ProviderFailure) -> [Collection] {
        guard let paths = try property("Collections", of: SecretInterface.service, at: ObjectPath.service.text).asPaths
        else {
            throw .unreadable
        }
        let usual = try alias("default")
        let temporary = try alias(CollectionList.session)
        var collections: [Collection] = []
        for path in paths {
            let facts = try properties(of: SecretInterface.collection, at: path)
            let isLogin = ObjectPath(path) == .collection(CollectionList.login)
            collections.append(
                Collection(
                    path: path, label: facts["Label"]?.asText ?? "", isLocked: facts["Locked"]?.asTruth ?? true,
                    items: facts["Items"]?.asPaths ?? [], isUsual: path == usual || isLogin,
                    isTemporary: path == temporary || ObjectPath(path) == .collection(CollectionList.session)))
        }
        return collections
    }

    private func alias(_ name: String) throws(ProviderFailure) -> String? {
        let answer = try service("ReadAlias", [.text(name)])
        return answer.first?.asPath.flatMap { $0 == ObjectPath.none ? nil : $0 }
    }

    /// Has the provider ask the person to unlock a collection; false where it stays locked.
    package func unlock(_ collection: inout Collection) throws(ProviderFailure) -> Bool {
        if collection.isLocked {
            try unlock([collection.path])
            let facts = try properties(of: SecretInterface.collection, at: collection.path)
            collection.isLocked = facts["Locked"]?.asTruth ?? true
            collection.items = facts["Items"]?.asPaths ?? collection.items
        }
        return !collection.isLocked
    }

    /// The items of a collection, as many as the provider tells of; `report` is told of the others, by path or label, and why,
    /// and `step` how many were asked for.
    package func secrets(
        of collection: Collection, report: (_ name: String, _ path: String, _ reason: String) -> Void,
        step: (Int) -> Void
    ) throws(ProviderFailure) -> [OfferedSecret] {
        var offered: [OfferedSecret] = []
        for start in stride(from: 0, to: collection.items.count, by: SecretProvider.batch) {
            let end = min(start + SecretProvider.batch, collection.items.count)
            var items: [(path: String, facts: [String: BusValue])] = []
            for path in collection.items[start..<end] {
                do throws(ProviderFailure) {
                    items.append((path, try properties(of: SecretInterface.item, at: path)))
                } catch {
                    guard case .refused = error else { throw error }
                    report("", path, "the other provider says nothing of it: \(error)")
                }
            }
            // Some providers lock each item by itself.
            let locked = items.filter { $0.facts["Locked"]?.asTruth ?? false }.map(\.path)
            if !locked.isEmpty { try unlock(locked) }
            let secrets = try self.secrets(of: items.map(\.path))
            for (path, facts) in items {
                let label = facts["Label"]?.asText ?? ""
                guard let attributes = facts["Attributes"]?.asTexts else {
                    report(label, path, "its attributes cannot be read")
                    continue
                }
                let opened = if let listed = secrets[path] { listed } else { try secret(of: path) }
                guard let (value, contentType) = opened else {
                    report(label, path, "the other provider did not give its secret")
                    continue
                }
                var item = OfferedSecret(
                    label: label, attributes: attributes, contentType: contentType,
                    created: facts["Created"]?.asLargeNumber ?? 0, modified: facts["Modified"]?.asLargeNumber ?? 0,
                    secret: value, source: path)
                item.tidy(owner)
                offered.append(item)
            }
            step(end)
        }
        return offered
    }

    private func secrets(
        of paths: [String]
    ) throws(ProviderFailure) -> [String: (SecretValue, contentType: String)] {
        guard !paths.isEmpty else { return [:] }
        let answer = try service("GetSecrets", [.paths(paths), .path(session)])
        guard case .dictionary(_, _, let pairs)? = answer.first else { throw .unreadable }
        var secrets: [String: (SecretValue, contentType: String)] = [:]
        for (key, value) in pairs {
            guard let path = key.asPath, let secret = opened(value) else { continue }
            secrets[path] = secret
        }
        return secrets
    }

    /// By itself: some providers leave an item out of a list that they give when asked for it alone.
    private func secret(of path: String) throws(ProviderFailure) -> (SecretValue, contentType: String)? {
        do throws(ProviderFailure) {
            return try call(SecretInterface.item, "GetSecret", at: path, [.path(session)]).first.flatMap(opened)
        } catch {
            guard case .refused = error else { throw error }
            return nil
        }
    }

    private func opened(_ value: BusValue) -> (SecretValue, contentType: String)? {
        guard let fields = value.asFields, fields.count == 4, let parameters = fields[1].asBytes,
            let sealed = fields[2].asBytes, let contentType = fields[3].asText,
            let secret = try? transport.open(parameters: parameters, value: sealed)
        else { return nil }
        return (secret, contentType)
    }

    private static let batch = 50
}

// MARK: - Prompts

extension SecretProvider {
    /// Asks for what is locked to be unlocked, and waits for the provider's prompt.
    private func unlock(_ paths: [String]) throws(ProviderFailure) {
        let answer = try service("Unlock", [.paths(paths)])
        guard answer.count == 2, let prompt = answer[1].asPath else { throw .unreadable }
        guard prompt != ObjectPath.none else { return }
        try show(prompt)
    }

    /// Shows a prompt and waits until it is answered, or gone.
    private func show(_ prompt: String) throws(ProviderFailure) {
        let ending =
            "type='signal',sender='\(owner.connection)',interface='\(SecretInterface.prompt)',member='Completed'"
        let leaving = "type='signal',sender='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(owner.connection)'"
        do throws(BusFailure) {
            bus.forgetSignals()
            for rule in [ending, leaving] {
                try bus.call(.ofBus("AddMatch"), [.text(rule)], try SecretProvider.deadline(SecretProvider.patience))
            }
        } catch { throw .broken }
        _ = try call(SecretInterface.prompt, "Prompt", at: prompt, [.text("")])
        do throws(BusFailure) {
            // As long as the person takes.
            let deadline = try SecretProvider.deadline(SecretProvider.patienceWithPeople)
            while true {
                let signal = try bus.signal(deadline)
                if signal.isSignal(SecretInterface.prompt, "Completed", from: owner.connection, about: prompt) {
                    return
                }
                if signal.isSignal("org.freedesktop.DBus", "NameOwnerChanged", from: "org.freedesktop.DBus") {
                    throw BusFailure.broken(SecretProvider.gone)
                }
            }
        } catch {
            if case .wait = error { throw .unanswered }
            throw .broken
        }
    }

    private static let patience: UInt32 = 120
    private static let patienceWithPeople: UInt32 = 600
    /// ECONNRESET, as where a peer leaves.
    private static let gone: Int32 = 104
}

// MARK: - Calls

extension SecretProvider {
    private func service(_ member: String, _ values: [BusValue]) throws(ProviderFailure) -> [BusValue] {
        try call(SecretInterface.service, member, at: ObjectPath.service.text, values)
    }

    private func property(
        _ name: String, of interface: String, at path: String
    ) throws(ProviderFailure) -> BusValue {
        let answer = try call(SecretInterface.properties, "Get", at: path, [.text(interface), .text(name)])
        guard let value = answer.first?.inVariant else { throw .unreadable }
        return value
    }

    private func properties(
        of interface: String, at path: String
    ) throws(ProviderFailure) -> [String: BusValue] {
        let answer = try call(SecretInterface.properties, "GetAll", at: path, [.text(interface)])
        guard let properties = answer.first?.asProperties else { throw .unreadable }
        return properties
    }

    private func call(
        _ interface: String, _ member: String, at path: String, _ values: [BusValue]
    ) throws(ProviderFailure) -> [BusValue] {
        try SecretProvider.call(bus, owner, interface, member, at: path, values)
    }

    /// Calls the connection, not the name: whoever took that over meanwhile is another provider.
    private static func call(
        _ bus: Bus, _ owner: NameOwner, _ interface: String, _ member: String, at path: String, _ values: [BusValue]
    ) throws(ProviderFailure) -> [BusValue] {
        let method = BusMethod(destination: owner.connection, path: path, interface: interface, member: member)
        let answer: Result<[BusValue], BusFault>
        do throws(BusFailure) { answer = try bus.answer(to: method, values, deadline(patience)) } catch {
            throw .broken
        }
        switch answer {
        case .success(let values): return values
        case .failure(let fault): throw .refused(fault)
        }
    }

    private static func deadline(_ seconds: UInt32) throws(BusFailure) -> Deadline {
        try BusFailure.translating { () throws(WaitFailure) in try Deadline(seconds: seconds, Cancellation()) }
    }
}

@available(*, unavailable)
extension SecretProvider: Sendable {}

/// Why another provider could not be asked.
package enum ProviderFailure: Error, Sendable, CustomStringConvertible {
    case noBus
    /// Nobody has the name, and nothing can be started that would.
    case nobody
    /// The name is this keychain's.
    case ourselves
    case refused(BusFault)
    /// The person did not answer a prompt.
    case unanswered
    /// Its answer is not what the specification says.
    case unreadable
    /// The connection to it, or to the bus, ended, or it did not answer in time.
    case broken

    package var description: String {
        switch self {
        case .noBus: "the session bus cannot be reached"
        case .nobody: "no program provides the Secret Service, and none can be started"
        case .ourselves: "the Secret Service is this keychain's own: there is nothing to import"
        case .refused(let fault): fault.sentence.isEmpty ? fault.name : fault.sentence
        case .unanswered: "nobody answered the other provider's prompt"
        case .unreadable: "the other provider's answer is not what the Secret Service's specification says"
        case .broken: "the other provider ended, or did not answer in time"
        }
    }
}
