// SPDX-License-Identifier: Apache-2.0

internal import KeychainCrypto
package import KeychainModel
package import KeychainRequest
package import KeychainSync
internal import KeychainSystem

/// The keys of a circle's views, as the keychain keeps them: one half for each time at which they open.
package struct CircleKeys: Sendable {
    private let items: CircleItems
    private let circle: CircleID

    package init(of circle: CircleID, in session: any KeychainSession) {
        items = CircleItems(session)
        self.circle = circle
    }

    /// All that there are; those of class A only while the keychain is unlocked.
    ///
    /// Which of them are the circle's, its log says. A half that is damaged is an error, not a key that is not there: a device that took itself for one without keys would
    /// ask for new ones, and leave its records closed.
    package func ring() throws(KeychainError) -> ViewKeyring {
        var ring = ViewKeyring(circle: circle)
        for name in try items.names(.afterFirstUnlock).compactMap({ Name($0, of: circle) })
        where !name.isSecond {
            guard let first = try items.secret(name.text) else { continue }
            var second: SecretValue?
            let isLocked = try isLocked { () throws(KeychainError) in second = try items.secret(name.second.text) }
            // A key that is forgotten meanwhile loses its first half first.
            if second == nil, !isLocked, try items.secret(name.text) != nil { throw CircleKeys.damaged }
            do throws(CircleError) {
                let key = try CircleKeys.key(circle, name, first, second)
                guard ring.insert(key) else { throw .malformed }
            } catch { throw CircleKeys.damaged }
        }
        return ring
    }

    /// Keeps a key that was made or that came, in place of another one; the keychain has to be unlocked.
    package func keep(_ key: ViewKey) throws(KeychainError) {
        let name = Name(circle: circle, view: key.view, generation: key.generation, isSecond: false)
        let second: SecretBytes
        do throws(CircleError) { second = try key.secondHalf() } catch {
            throw KeychainError(
                .interactionNotAllowed, "a key of the circle came that can be kept while the keychain is unlocked")
        }
        // What is there of another key goes first: one half of each would be taken for damage, and an item that was put there keeps
        // its protection.
        let isThere = try items.secret(name.text).map { there in
            CircleKeys.bytes(there).isEqualInConstantTime(to: key.firstHalf())
        }
        if isThere != true {
            try items.remove(name.text)
            try items.remove(name.second.text)
        }
        // The first half says that there is a key, so it comes last.
        try items.keep(CircleKeys.value(second), as: name.second.text, .whenUnlocked)
        try items.keep(CircleKeys.value(key.firstHalf()), as: name.text, .afterFirstUnlock)
    }

    /// Forgets one key.
    package func forget(_ key: ViewKey) throws(KeychainError) {
        let name = Name(circle: circle, view: key.view, generation: key.generation, isSecond: false)
        // The first half says that there is a key, so it goes first; both names begin so.
        try items.remove(beginning: name.text)
        try items.remove(beginning: name.second.text)
    }

    /// Forgets the keys of this circle.
    package func forget() throws(KeychainError) { try items.remove(beginning: Name.prefix(circle)) }

    /// Whether it is refused since the keychain is locked.
    private func isLocked(_ body: () throws(KeychainError) -> Void) throws(KeychainError) -> Bool {
        do throws(KeychainError) { try body() } catch {
            guard error.reason == .interactionNotAllowed else { throw error }
            return true
        }
        return false
    }

    private static func key(
        _ circle: CircleID, _ name: Name, _ first: SecretValue, _ second: SecretValue?
    ) throws(CircleError) -> ViewKey {
        try ViewKey(
            circle: circle, view: name.view, generation: name.generation, first: bytes(first),
            second: second.map(bytes))
    }

    private static func bytes(_ value: SecretValue) -> SecretBytes {
        unsafe value.withUnsafeBytes { bytes in unsafe SecretBytes(copying: bytes) }
    }

    private static func value(_ bytes: borrowing SecretBytes) -> SecretValue {
        unsafe bytes.withUnsafeBytes { bytes in unsafe SecretValue(copying: bytes) }
    }

    private static let damaged = KeychainError(
        .undecodable,
        "an item of the keychain with a key of the circle is damaged, or went with an old device key or passcode; `llavero circle leave` ends this machine's place there, and says how it comes back"
    )

    /// The name of the item of one half.
    private struct Name {
        let circle: CircleID
        let view: SyncView
        let generation: UInt32
        let isSecond: Bool

        init(circle: CircleID, view: SyncView, generation: UInt32, isSecond: Bool) {
            (self.circle, self.view, self.generation) = (circle, view, generation)
            self.isSecond = isSecond
        }

        init?(_ text: String, of circle: CircleID) {
            let prefix = Name.prefix(circle)
            guard text.utf8.starts(with: prefix.utf8) else { return nil }
            let parts = text.dropFirst(prefix.count).split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 3, let bytes = Hexadecimal.bytes(of: parts[0]), let view = SyncView(bytes),
                let generation = UInt32(parts[1]), generation > 0, parts[2] == "first" || parts[2] == "second"
            else { return nil }
            self.init(circle: circle, view: view, generation: generation, isSecond: parts[2] == "second")
        }

        var text: String {
            Name.prefix(circle) + Hexadecimal.digits(of: view.bytes) + ":\(generation):"
                + (isSecond ? "second" : "first")
        }

        var second: Name { Name(circle: circle, view: view, generation: generation, isSecond: true) }

        static func prefix(_ circle: CircleID) -> String { "view:" + Hexadecimal.digits(of: circle.bytes) + ":" }
    }
}
