// SPDX-License-Identifier: Apache-2.0

import CClientTest
import Foundation
import Security
import SecurityC

/// The functions as C has them: what goes in and comes out are objects of Core Foundation, and references are boxes.
///
/// Everything around the calls, the clock, the person, is what the Swift way in has.
struct CWayIn: WayIn {
    private let around: SwiftAPIWayIn

    init(_ around: SwiftAPIWayIn) { self.around = around }

    func add(_ attributes: NSDictionary, wantsResult: Bool) -> Reply {
        call([attributes], wantsResult) { client_add($0[0], $1) }
    }

    func copy(_ query: NSDictionary, wantsResult: Bool) -> Reply {
        call([query], wantsResult) { client_copy($0[0], $1) }
    }

    func update(_ query: NSDictionary, _ attributes: NSDictionary) -> Reply {
        call([query, attributes], false) { objects, _ in client_update(objects[0], objects[1]) }
    }

    func delete(_ query: NSDictionary) -> Reply { call([query], false) { objects, _ in client_delete(objects[0]) } }

    private func call(
        _ objects: [AnyObject], _ wantsResult: Bool,
        _ function: ([CObject?], UnsafeMutablePointer<CObject?>?) -> Int32
    ) -> Reply {
        lend(objects) { objects in
            var result: CObject?
            let status = wantsResult ? function(objects, &result) : function(objects, nil)
            let explanation = status == errSecSuccess ? nil : Llavero.lastFailure ?? ""
            return Reply(status: status, result: take(result), explanation: explanation)
        }
    }

    /// Objects for C, for as long as the call lasts.
    func lend<Result>(_ objects: [AnyObject], _ body: ([CObject?]) throws -> Result) rethrows -> Result {
        let made = objects.map { Outgoing.object($0) }
        defer { for object in made { object.map { client_release($0) } } }
        return try around.keychain.use { try body(made) }
    }

    /// What C was given, which it releases.
    func take(_ object: CObject?) -> AnyObject? {
        guard let object else { return nil }
        defer { client_release(object) }
        return Incoming.object(object)
    }

    /// A function that returns nothing has to say why.
    func reply(_ result: CObject?, _ error: CObject?) -> Reply {
        guard let error else {
            return Reply(
                status: result == nil ? errSecInternal : errSecSuccess, result: take(result), explanation: "")
        }
        defer { client_release(error) }
        let words = take(client_error_words(error)) as? String
        return Reply(status: OSStatus(client_error_code(error)), result: take(result), explanation: words ?? "")
    }

    func makeBackup() throws -> Reply { around.makeBackup() }
    func restore(_ backup: AnyObject, replaces: Bool) throws -> Reply { around.restore(backup, replaces: replaces) }
    func makeContext(_ description: VectorContext) throws -> AnyObject { try around.makeContext(description) }
    func invalidate(_ context: AnyObject) throws { try around.invalidate(context) }
    func setPasscode(_ text: String) throws { try around.setPasscode(text) }
    func changePasscode(from old: String, to new: String) throws { try around.changePasscode(from: old, to: new) }
    func removePasscode(_ text: String) throws { try around.removePasscode(text) }
    func enroll(_ fingers: String?) { around.enroll(fingers) }
    var questions: [String] { around.questions }
    func setEntitlements(_ entitlements: VectorEntitlements) { around.setEntitlements(entitlements) }
    func setClock(_ secondsSince2001: Double) { around.setClock(secondsSince2001) }
    func advanceClock(by seconds: Double) { around.advanceClock(by: seconds) }
    func setLockState(_ state: VectorLockState) { around.setLockState(state) }
    func restart() { around.restart() }
    func end() throws -> [String] { try around.end() }
}
