// SPDX-License-Identifier: Apache-2.0

internal import KeychainBus
internal import KeychainModel

/// A secret as it comes over the bus: sealed for a session, or in the clear in a plain one.
struct SealedSecret: Sendable {
    let session: String
    let parameters: SecretValue
    let value: SecretValue
    let contentType: String

    /// nil of a value of another shape.
    init?(_ value: BusValue) {
        guard let fields = value.asFields, fields.count == 4, let session = fields[0].asPath,
            let parameters = fields[1].asBytes, let bytes = fields[2].asBytes, let contentType = fields[3].asText
        else { return nil }
        self.session = session
        self.parameters = parameters
        self.value = bytes
        self.contentType = contentType
    }
}

/// A call of the service that has been understood.
enum ServiceRequest: Sendable {
    // org.freedesktop.Secret.Service
    case openSession(algorithm: String, input: BusValue)
    case createCollection(label: String, alias: String)
    case search(ObjectPath, [String: String])
    case unlock([String])
    case lock([String])
    case secrets([String], session: String)
    case readAlias(String)
    case setAlias(String, String)
    // Collection, Item
    case delete(ObjectPath)
    case createItem(ObjectPath, label: String, attributes: [String: String], SealedSecret, replacing: Bool)
    case secret(ObjectPath, session: String)
    case setSecret(ObjectPath, SealedSecret)
    // Session, Prompt
    case close(session: String)
    case prompt(String, window: String)
    case dismiss(String)
    // org.freedesktop.DBus
    case introspect(String)
    case property(ObjectPath, interface: String, String)
    case properties(ObjectPath, interface: String)
    case setProperty(ObjectPath, interface: String, String, BusValue)
}

/// The names of the specification.
package enum SecretInterface {
    package static let service = "org.freedesktop.Secret.Service"
    package static let collection = "org.freedesktop.Secret.Collection"
    package static let item = "org.freedesktop.Secret.Item"
    package static let session = "org.freedesktop.Secret.Session"
    package static let prompt = "org.freedesktop.Secret.Prompt"
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"
}

extension BusFault {
    static let isLocked = BusFault(
        "org.freedesktop.Secret.Error.IsLocked", "the collection is locked; unlock it first")
    static let noSession = BusFault(
        "org.freedesktop.Secret.Error.NoSession", "there is no such session of this connection; open one")
    static let noSuchObject = BusFault("org.freedesktop.Secret.Error.NoSuchObject", "there is no such object")

    static func arguments(_ sentence: String) -> BusFault { BusFault(invalidArguments, sentence) }
}

extension ServiceRequest {
    /// Parses a call; what it cannot mean exactly is refused.
    init(_ call: BusCall) throws(BusFault) {
        if call.interface == SecretInterface.introspectable || (call.interface.isEmpty && call.member == "Introspect") {
            guard call.member == "Introspect", call.signature.isEmpty else { throw ServiceRequest.unknown(call) }
            self = .introspect(call.path)
            return
        }
        guard let path = ObjectPath(call.path) else {
            throw BusFault(BusFault.unknownObject, "there is no object at \(call.path)")
        }
        if call.interface == SecretInterface.properties {
            self = try ServiceRequest.aboutProperties(call, path)
            return
        }
        guard let interface = path.interface, call.interface == interface || call.interface.isEmpty else {
            throw BusFault(BusFault.unknownInterface, "the object at \(call.path) has no interface \(call.interface)")
        }
        let arguments = Arguments(call.arguments)
        switch (path, call.member, call.signature) {
        case (.service, "OpenSession", "sv"):
            self = .openSession(algorithm: try arguments.text(0), input: try arguments.variant(1))
        case (.service, "CreateCollection", "a{sv}s"):
            let properties = try arguments.properties(0)
            self = .createCollection(
                label: try ServiceRequest.label(properties, SecretInterface.collection, []),
                alias: try arguments.text(1))
        case (.service, "SearchItems", "a{ss}"), (.collection, "SearchItems", "a{ss}"),
            (.alias, "SearchItems", "a{ss}"):
            self = .search(path, try arguments.texts(0))
        case (.service, "Unlock", "ao"): self = .unlock(try arguments.paths(0))
        case (.service, "Lock", "ao"): self = .lock(try arguments.paths(0))
        case (.service, "GetSecrets", "aoo"):
            self = .secrets(try arguments.paths(0), session: try arguments.path(1))
        case (.service, "ReadAlias", "s"): self = .readAlias(try arguments.text(0))
        case (.service, "SetAlias", "so"): self = .setAlias(try arguments.text(0), try arguments.path(1))
        case (.collection, "Delete", ""), (.alias, "Delete", ""), (.item, "Delete", ""), (.aliasedItem, "Delete", ""):
            self = .delete(path)
        case (.collection, "CreateItem", "a{sv}(oayays)b"), (.alias, "CreateItem", "a{sv}(oayays)b"):
            let properties = try arguments.properties(0)
            let name = SecretInterface.item + ".Attributes"
            let given = properties[name]
            guard let attributes = given == nil ? [:] : given?.asTexts else {
                throw .arguments("\(name) is a dictionary of texts (a{ss})")
            }
            self = .createItem(
                path, label: try ServiceRequest.label(properties, SecretInterface.item, [name]),
                attributes: attributes, try arguments.secret(1), replacing: try arguments.truth(2))
        case (.item, "GetSecret", "o"), (.aliasedItem, "GetSecret", "o"):
            self = .secret(path, session: try arguments.path(0))
        case (.item, "SetSecret", "(oayays)"), (.aliasedItem, "SetSecret", "(oayays)"):
            self = .setSecret(path, try arguments.secret(0))
        case (.session(let id), "Close", ""): self = .close(session: id)
        case (.prompt(let id), "Prompt", "s"): self = .prompt(id, window: try arguments.text(0))
        case (.prompt(let id), "Dismiss", ""): self = .dismiss(id)
        default: throw ServiceRequest.unknown(call)
        }
    }

    private static func aboutProperties(_ call: BusCall, _ path: ObjectPath) throws(BusFault) -> ServiceRequest {
        let arguments = Arguments(call.arguments)
        switch (call.member, call.signature) {
        case ("Get", "ss"): return .property(path, interface: try arguments.text(0), try arguments.text(1))
        case ("GetAll", "s"): return .properties(path, interface: try arguments.text(0))
        case ("Set", "ssv"):
            return .setProperty(
                path, interface: try arguments.text(0), try arguments.text(1), try arguments.variant(2))
        default: throw unknown(call)
        }
    }

    /// The label among the properties of something new, which may have no others than those of `names` beside it.
    private static func label(
        _ properties: [String: BusValue], _ interface: String, _ names: [String]
    ) throws(BusFault) -> String {
        let name = interface + ".Label"
        // Other providers write and clients send the type of an item, which is an attribute too; nothing hangs on it.
        let tolerated = interface + ".Type"
        if let other = properties.keys.first(where: { $0 != name && $0 != tolerated && !names.contains($0) }) {
            throw .arguments("\(other) is no property that something new can be given")
        }
        guard let value = properties[name] else { return "" }
        guard let label = value.asText else { throw .arguments("\(name) is a text") }
        return label
    }

    private static func unknown(_ call: BusCall) -> BusFault {
        BusFault(
            BusFault.unknownMethod,
            "there is no method \(call.member) with arguments of the types \"\(call.signature)\" at \(call.path)")
    }
}

/// The arguments of a call, whose types its signature said already.
private struct Arguments {
    private let values: [BusValue]

    init(_ values: [BusValue]) { self.values = values }

    func text(_ index: Int) throws(BusFault) -> String { try value(index, \.asText) }
    func path(_ index: Int) throws(BusFault) -> String { try value(index, \.asPath) }
    func paths(_ index: Int) throws(BusFault) -> [String] { try value(index, \.asPaths) }
    func truth(_ index: Int) throws(BusFault) -> Bool { try value(index, \.asTruth) }
    func texts(_ index: Int) throws(BusFault) -> [String: String] { try value(index, \.asTexts) }
    func properties(_ index: Int) throws(BusFault) -> [String: BusValue] { try value(index, \.asProperties) }
    func variant(_ index: Int) throws(BusFault) -> BusValue { try value(index, \.inVariant) }
    func secret(_ index: Int) throws(BusFault) -> SealedSecret { try value(index) { SealedSecret($0) } }

    private func value<Value>(_ index: Int, _ read: (BusValue) -> Value?) throws(BusFault) -> Value {
        guard index < values.count, let value = read(values[index]) else {
            throw .arguments("argument \(index + 1) is of another type")
        }
        return value
    }
}

extension ObjectPath {
    /// The interface of what is at such a path.
    var interface: String? {
        switch self {
        case .service: SecretInterface.service
        case .collection, .alias: SecretInterface.collection
        case .item, .aliasedItem: SecretInterface.item
        case .session: SecretInterface.session
        case .prompt: SecretInterface.prompt
        }
    }
}
