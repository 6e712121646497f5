// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainBus
internal import KeychainModel
internal import KeychainSystem

/// The part of the desktop portal that gives each application in a sandbox a secret of its own: 64 bytes that never change,
/// under which it keeps what it likes in a file.
///
/// A secret is an item of the default collection, as other providers have it, so that an application finds what it had when a
/// person moves.
final class SecretPortal: Sendable {
    static let busName = "org.freedesktop.impl.portal.desktop.llavero"
    static let path = "/org/freedesktop/portal/desktop"
    static let interface = "org.freedesktop.impl.portal.Secret"
    static let requestInterface = "org.freedesktop.impl.portal.Request"

    private let port: BusPort
    private let core: ServiceCore
    /// What runs, by the path at which it can be ended.
    private let running = ForkSafeMutex<[String: Running]>([:])

    private struct Running: Sendable {
        let owner: String
        let cancellation = Cancellation()
    }

    init(_ port: BusPort, _ core: ServiceCore) {
        self.port = port
        self.core = core
    }

    /// Whether a call is the portal's, which is taken then.
    func takes(_ call: BusCall) -> Bool {
        switch (call.path, call.interface, call.member, call.signature) {
        case (SecretPortal.path, SecretPortal.interface, "RetrieveSecret", "osha{sv}"): retrieve(call)
        case (SecretPortal.path, SecretInterface.properties, "Get", "ss")
        where call.arguments.first?.asText == SecretPortal.interface && call.arguments.last?.asText == "version":
            port.answer(call.ticket, .values([.variant(.number(1))]))
        case (SecretPortal.path, SecretInterface.properties, "GetAll", "s")
        where call.arguments.first?.asText == SecretPortal.interface:
            port.answer(call.ticket, .values([.properties([("version", .number(1))])]))
        case (SecretPortal.path, SecretInterface.introspectable, "Introspect", ""):
            port.answer(call.ticket, .values([.text(Introspection.portal)]))
        case (_, SecretPortal.requestInterface, "Close", ""): close(call)
        default: return false
        }
        return true
    }

    func forget(_ name: String) {
        for request in running.withLock({ $0.values.filter { $0.owner == name } }) { request.cancellation.trip() }
    }

    private func close(_ call: BusCall) {
        guard let request = running.withLock({ $0[call.path] }), request.owner == call.sender else {
            return port.answer(call.ticket, .failure(.noSuchObject))
        }
        request.cancellation.trip()
        port.answer(call.ticket, .values([]))
    }

    private func retrieve(_ call: BusCall) {
        guard call.arguments.count == 4, let handle = call.arguments[0].asPath, let app = call.arguments[1].asText,
            let file = call.arguments[2].asFile
        else { return port.answer(call.ticket, .failure(.arguments("RetrieveSecret takes other arguments"))) }
        // Only the portal itself says truly which application asks.
        port.call(.ofBus("GetNameOwner"), [.text("org.freedesktop.portal.Desktop")]) { [self] answer in
            guard (try? answer.get())?.first?.asText == call.sender else {
                let fault = BusFault(BusFault.accessDenied, "only the desktop portal may ask for applications' secrets")
                return port.answer(call.ticket, .failure(fault))
            }
            let request = Running(owner: call.sender)
            running.withLock { $0[handle] = request }
            // It may wait for a person, and the portal's other calls need not.
            let failure = NamedThread.start("secret-portal") { [self] in
                let response = serve(app, file, call.sender, request.cancellation)
                running.withLock { _ = $0.removeValue(forKey: handle) }
                port.answer(call.ticket, .values([.number(response.rawValue), .properties([])]))
            }
            if failure != 0 {
                running.withLock { _ = $0.removeValue(forKey: handle) }
                port.answer(call.ticket, .values([.number(Response.failed.rawValue), .properties([])]))
            }
        }
    }

    private enum Response: UInt32 {
        case done = 0
        case cancelled = 1
        case failed = 2
    }

    private func serve(
        _ app: String, _ file: OwnedDescriptor, _ sender: String, _ cancellation: Cancellation
    ) -> Response {
        // An application without an identifier is in no sandbox, and would share its secret with all of these.
        guard !app.isEmpty, app.utf8.count <= 255 else { return .failed }
        let client = BusClient(name: sender, process: nil, user: nil)
        do throws(BusFault) {
            let found = try core.collection(.alias("default"))
            if found.isLocked, !core.opens(found, for: client, named: "\(app) (Flatpak)", cancellation) {
                return cancellation.isTripped ? .cancelled : .failed
            }
            let secret = try ServiceCore.translating { () throws(KeychainError) -> SecretValue in
                try self.secret(of: app, in: found)
            }
            return write(secret, to: file) ? .done : .failed
        } catch { return .failed }
    }

    /// The secret of an application, made when it is asked for first.
    private func secret(of app: String, in found: ServedCollection) throws(KeychainError) -> SecretValue {
        try making.withLock { (_) throws(KeychainError) -> SecretValue in
            let ids = try found.items.search(["app_id": app])
            for id in ids {
                // Some providers wrote no schema.
                let schema = try found.items.entry(id)?.attributes["xdg:schema"] ?? SecretPortal.schema
                guard schema == SecretPortal.schema || schema == SecretPortal.generic else { continue }
                // One that cannot be read is no reason to make another: the application would lose what it had.
                if let (secret, _) = try found.items.secret(of: id) { return secret }
            }
            let fresh = try unsafe SecretValue(count: SecretPortal.size) { (bytes) throws(KeychainError) in
                guard let start = bytes.baseAddress, unsafe getentropy(start, bytes.count) == 0 else {
                    throw KeychainError(.internalError, "the system gives no random bytes", code: Int64(errno))
                }
            }
            _ = try found.items.create(
                label: "Application key for \(app)", attributes: ["app_id": app, "xdg:schema": SecretPortal.schema],
                contentType: "application/octet-stream", secret: fresh, replacing: false)
            return fresh
        }
    }

    /// Held while one is looked for and made, so that no application gets two.
    private let making = ForkSafeMutex<Void>(())

    private func write(_ secret: SecretValue, to file: OwnedDescriptor) -> Bool {
        unsafe secret.withUnsafeBytes { bytes in
            var done = 0
            while done < bytes.count {
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
                let count = unsafe Glibc.write(file.number, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { return false }
                done += count
            }
            return true
        }
    }

    private static let size = 64
    private static let schema = "org.freedesktop.portal.Secret"
    private static let generic = "org.freedesktop.Secret.Generic"
}
