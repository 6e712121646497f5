// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// One step of a script about the keybag, as a word: `change=old,new`.
struct KeybagStep {
    private let verb: String
    private let values: [String]

    init(_ word: String) {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        verb = parts.first ?? ""
        values = parts.count > 1 ? parts[1].split(separator: ",").map(String.init) : []
    }

    /// Does it, and returns what has to be told of it; throws unless it came to what the step is about.
    func perform(on keychain: IsolatedKeychain) throws -> String? {
        let bag = Llavero.keybag
        switch verb {
        case "add": try expect(KeybagItem(name: value(0)).add("first of \(value(0))"))
        case "put": try expect(KeybagItem(name: value(0)).add(value(1)))
        case "update": try expect(KeybagItem(name: value(0)).update("second of \(value(0))"))
        case "delete": try expect(KeybagItem(name: value(0)).delete())
        case "set": try bag.setPasscode(passcode(0), erasingAfter: nil)
        case "change": try bag.changePasscode(from: passcode(0), to: passcode(1))
        case "remove": try bag.removePasscode(passcode(0))
        case "unlock": try bag.unlock(with: passcode(0))
        case "wrong": try refuse(passcode(0))
        case "lock": try bag.lock()
        case "forget": keychain.reopen()
        case "rotate": try bag.rotateKeys(passcode: optionalPasscode(0))
        case "reseal": try bag.reseal()
        case "paper": return "paper " + (try bag.makeRecoveryKey(passcode: optionalPasscode(0)).words.dashed)
        case "move": return try move()
        case "recover":
            try bag.recover(
                with: Llavero.RecoveryKey(words: value(0).undashed), into: enclave(1), passcode: optionalPasscode(2))
        case "create":
            let key = try Llavero.createKeychain(in: enclave(0), recoveryKey: .made)
            return try key.map { "paper " + (try $0.words.dashed) }
        default: throw Failure(text: "no such step: \(verb)")
        }
        return nil
    }

    private func move() throws -> String? {
        let move = Llavero.Keybag.Move(
            to: enclave(0), passcode: try optionalPasscode(2), abandonsEnclaveKeys: false, recoveryKey: .refused)
        _ = try Llavero.keybag.move(move, currentPasscode: optionalPasscode(1))
        return nil
    }

    private func refuse(_ passcode: Llavero.Passcode) throws {
        do { try Llavero.keybag.unlock(with: passcode) } catch let error as LlaveroError {
            if error.status == errSecAuthFailed { return }
            throw error
        }
        throw Failure(text: "a wrong passcode opened")
    }

    private func value(_ index: Int) -> String { index < values.count ? values[index] : "" }

    private func passcode(_ index: Int) throws -> Llavero.Passcode { try Llavero.Passcode(value(index)) }

    private func optionalPasscode(_ index: Int) throws -> Llavero.Passcode? {
        index < values.count ? try passcode(index) : nil
    }

    private func enclave(_ index: Int) -> Llavero.Enclave { value(index) == "tpm" ? .tpm : .software }

    private func expect(_ status: OSStatus) throws {
        if status != errSecSuccess { throw Failure(text: "\(status) \(Llavero.lastFailure ?? "")") }
    }

    private struct Failure: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}

extension String {
    /// Words of a recovery key as one word, and back.
    fileprivate var dashed: String { replacingOccurrences(of: " ", with: "-") }
    fileprivate var undashed: String { replacingOccurrences(of: "-", with: " ") }
}
