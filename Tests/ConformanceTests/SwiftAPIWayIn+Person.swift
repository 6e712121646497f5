// SPDX-License-Identifier: Apache-2.0

import Foundation
import LocalAuthentication
import Security

extension SwiftAPIWayIn {
    func setPasscode(_ text: String) throws {
        try keychain.use { try Llavero.keybag.setPasscode(Llavero.Passcode(text), erasingAfter: nil) }
    }

    func changePasscode(from old: String, to new: String) throws {
        try keychain.use { try Llavero.keybag.changePasscode(from: Llavero.Passcode(old), to: Llavero.Passcode(new)) }
    }

    func removePasscode(_ text: String) throws {
        _ = try keychain.use { try Llavero.keybag.removePasscode(Llavero.Passcode(text)) }
    }

    func enroll(_ fingers: String?) { person?.enroll(fingers) }

    /// What a dialog was headed; at a finger, what the program said it is for, or what we say where it said nothing,
    /// without the path of these tests.
    var questions: [String] {
        (person?.questions ?? []).map { question in
            let words = " wants to use the keychain."
            let lines = question.split(separator: "\n", maxSplits: 1).map(String.init)
            guard lines.first?.hasSuffix(words) == true else { return question }
            return lines.count == 2 ? lines[1] : "A program" + words
        }
    }

    func makeContext(_ description: VectorContext) throws -> AnyObject {
        try keychain.use {
            let context = LAContext()
            context.interactionNotAllowed = description.forbidsInteraction
            if let reason = description.reason { context.localizedReason = reason }
            for (text, type) in [
                (description.password, LACredentialType.applicationPassword), (description.passcode, .passcode),
            ] {
                guard let text else { continue }
                guard context.setCredential(Data(text.utf8), type: type), context.isCredentialSet(type) else {
                    throw VectorError("the context takes no credential")
                }
            }
            return context
        }
    }

    func invalidate(_ context: AnyObject) throws {
        guard let context = context as? LAContext else { throw VectorError("this is no context") }
        keychain.use { context.invalidate() }
    }
}
