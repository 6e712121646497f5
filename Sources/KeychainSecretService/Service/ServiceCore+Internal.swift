// SPDX-License-Identifier: Apache-2.0

internal import KeychainBus
internal import KeychainModel
internal import KeychainSystem

/// The calls of gnome-keyring's own interface that Seahorse and PAM modules make of whoever is the Secret Service: collections
/// made, unlocked and given other passcodes by a program that has asked the person itself.
enum InternalRequest: Sendable {
    case create(label: String, passcode: SealedSecret)
    case change(ObjectPath, from: SealedSecret, to: SealedSecret)
    case unlock(ObjectPath, SealedSecret)
    case changeWithPrompt(ObjectPath)

    static let interface = "org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface"

    /// nil of a call that is another interface's.
    init?(_ call: BusCall) throws(BusFault) {
        guard call.interface == InternalRequest.interface, call.path == ObjectPath.service.text else { return nil }
        let values = call.arguments
        func collection() throws(BusFault) -> ObjectPath {
            guard let path = values.first?.asPath.flatMap(ObjectPath.init) else { throw .noSuchObject }
            return path
        }
        func secret(_ index: Int) throws(BusFault) -> SealedSecret {
            guard values.count > index, let secret = SealedSecret(values[index]) else {
                throw .arguments("argument \(index + 1) is no secret")
            }
            return secret
        }
        switch (call.member, call.signature) {
        case ("CreateWithMasterPassword", "a{sv}(oayays)"):
            let label = values.first?.asProperties?[SecretInterface.collection + ".Label"]?.asText ?? ""
            self = .create(label: label, passcode: try secret(1))
        case ("ChangeWithMasterPassword", "o(oayays)(oayays)"):
            self = .change(try collection(), from: try secret(1), to: try secret(2))
        case ("UnlockWithMasterPassword", "o(oayays)"): self = .unlock(try collection(), try secret(1))
        case ("ChangeWithPrompt", "o"): self = .changeWithPrompt(try collection())
        default:
            throw BusFault(BusFault.unknownMethod, "there is no method \(call.member) with arguments of these types")
        }
    }
}

extension ServiceCore {
    func perform(_ request: InternalRequest, for client: BusClient, _ ticket: UInt64) {
        do throws(BusFault) { port.answer(ticket, .values(try answer(to: request, for: client))) } catch {
            port.answer(ticket, .failure(error))
        }
    }

    private func answer(to request: InternalRequest, for client: BusClient) throws(BusFault) -> [BusValue] {
        switch request {
        case .create(let label, let secret):
            let passcode = try passcode(secret, client)
            let id = try ServiceCore.translating { () throws(KeychainError) in try collections.make(label, passcode) }
            tellNew(id)
            return [.path(ObjectPath.collection(id).text)]
        case .change(let path, let old, let new):
            let found = try collection(path)
            let (old, new) = (try passcode(old, client), try passcode(new, client))
            try ServiceCore.translating { () throws(KeychainError) in try found.changePasscode(from: old, to: new) }
            return []
        case .unlock(let path, let secret):
            let found = try collection(path)
            // Without a passcode there is nothing to unlock, and a wrong one is no passcode either.
            guard let passcode = try passcode(secret, client) else { throw .arguments("the passcode is empty") }
            try ServiceCore.translating { () throws(KeychainError) in try found.unlock(passcode) }
            tellLock(of: found)
            return []
        case .changeWithPrompt(let path):
            let found = try collection(path)
            let prompt = try prompts.make(for: client.name, dismissed: .text("")) { [self] _, cancellation in
                PromptOutcome(isDismissed: !asksForChange(of: found, client, cancellation), result: .text(""))
            }
            return [.path(prompt)]
        }
    }

    /// nil of an empty one, which stands for none.
    private func passcode(_ sealed: SealedSecret, _ client: BusClient) throws(BusFault) -> Passcode? {
        let secret = try opened(sealed, client)
        if secret.count == 0 { return nil }
        guard let passcode = unsafe secret.withUnsafeBytes({ unsafe Passcode(copying: $0) }) else {
            throw .arguments("a passcode has at most \(Passcode.longest) bytes")
        }
        return passcode
    }

    private func asksForChange(
        of found: ServedCollection, _ client: BusClient, _ cancellation: Cancellation
    ) -> Bool {
        let old = ForkSafeMutex<Passcode?>(nil)
        let program = policy.shownName(of: client)
        if found.hasPasscode {
            let isRight = seat.ask(
                client, title: "Change a passcode",
                description: "\(program) wants to change the passcode of the keychain \"\(found.label)\".",
                prompt: "Present passcode:", confirms: false, cancellation
            ) { secret in
                guard let passcode = Passcode(of: secret) else { return ServiceCore.noPasscode }
                do throws(KeychainError) { try found.verify(passcode) } catch { return error.description }
                old.withLock { $0 = passcode }
                return nil
            }
            guard isRight else { return false }
        }
        return seat.ask(
            client, title: "Change a passcode",
            description:
                "Think of a new passcode for the keychain \"\(found.label)\"; an empty one leaves it unlocked for good.",
            prompt: "New passcode:", confirms: true, cancellation
        ) { secret in
            let new = Passcode(of: secret)
            guard new != nil || secret.count == 0 else { return ServiceCore.noPasscode }
            do throws(KeychainError) {
                try found.changePasscode(from: old.withLock { $0 }, to: new)
                return nil
            } catch { return error.description }
        }
    }
}
