// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainTools

/// The values that the references of a call refer to, each read once.
///
/// A name in a file means exactly that item: its case matters, and nobody is asked which of several is meant.
struct ReferencedValues {
    private let keychains: Keychains
    private let scope: ItemScope
    private var found: [String: SecretValue] = [:]
    private var named: [String: Keychains] = [:]

    /// References that name no keychain are looked up in `keychains`.
    init(in keychains: Keychains, _ scope: ItemScope) {
        (self.keychains, self.scope) = (keychains, scope)
    }

    /// The keychains that were opened.
    var opened: [ToolKeychain] { keychains.searched + named.values.flatMap(\.searched) }

    mutating func value(of reference: SecretReference) throws(CommandError) -> SecretValue {
        // The text of a reference has its names byte by byte.
        let key = reference.text
        if let value = found[key] { return value }
        do throws(CommandError) {
            let value = try read(reference)
            found[key] = value
            return value
        } catch {
            let words = [reference.item, reference.field.name]
            // Of several items called so, one may have what stands for a field as its user.
            let mayBeName = error.isNotFound || error.isAmbiguous && !reference.field.isOfEveryItem
            guard mayBeName, let meant = meant(by: (reference.keychain.map { [$0] } ?? []) + words) else {
                throw error
            }
            let first = PlainText.shown(reference.keychain ?? reference.item)
            throw .notFound(
                "\(key) means \(reference.keychain == nil ? "a value of the item" : "the keychain") \(first); the item \(PlainText.shown(meant.item)) is written \(meant.text)"
            )
        }
    }

    /// The reference to an item with slashes in its name, where they were taken for those between the parts; nil if there is none.
    private func meant(by words: [String]) -> SecretReference? {
        func readings(_ keychain: String?, _ words: ArraySlice<String>) -> [SecretReference] {
            let whole = SecretReference(keychain: keychain, item: words.joined(separator: "/"), field: .password)
            guard words.count > 2, let field = words.last else { return [whole] }
            let item = words.dropLast().joined(separator: "/")
            return [SecretReference(keychain: keychain, item: item, field: ItemField(field)), whole]
        }
        var meant = readings(nil, words[...])
        if words.count > 3 { meant += readings(words[0], words.dropFirst()) }
        return meant.first { reference in
            let searched = reference.keychain.map { try? Keychains(named: $0) } ?? keychains
            guard let searched else { return false }
            let found = try? ItemName(reference).items(in: searched, scope)
            return found?.contains { !$0.isGap } ?? false
        }
    }

    /// Why a text is no reference, with the right spelling of an item that has slashes in its name.
    private func refusal(of fault: ReferenceTemplate.Fault) -> CommandError {
        guard !fault.text.isEmpty else { return .failure("\(fault.reason)") }
        let text = PlainText.shown(fault.text)
        guard fault.reason == .parts, let words = try? SecretReference.parts(of: fault.text),
            let meant = meant(by: words)
        else { return .failure("\(text): \(fault.reason)") }
        return .failure(
            "\(text) has more parts than keychain, item and field; the item \(PlainText.shown(meant.item)) is written \(meant.text)"
        )
    }

    private mutating func read(_ reference: SecretReference) throws(CommandError) -> SecretValue {
        var keychains = keychains
        if let name = reference.keychain {
            if let there = named[name] { keychains = there } else { keychains = try Keychains(named: name) }
            named[name] = keychains
        }
        let item = try ItemName(reference).item(in: keychains, scope)
        return try item.value(of: reference.field, orEarlier: false)
    }

    /// Reads all of them, before anything is written or run; tells of each that is none or is not there, with its place.
    mutating func read(
        _ references: [(reference: Result<SecretReference, ReferenceTemplate.Fault>, place: String)]
    ) throws(CommandError) {
        var last: CommandError?
        var isReadable = true
        for (reference, place) in references {
            let failure: CommandError
            let isWrong: Bool
            switch reference {
            case .failure(let fault):
                (failure, isWrong) = (refusal(of: fault), true)
                isReadable = false
            case .success(let reference):
                do throws(CommandError) {
                    _ = try value(of: reference)
                    continue
                } catch { (failure, isWrong) = (error, error.isNotFound) }
            }
            if let last { Tool.say(last.description) }
            last = failure.at(place)
            if !isWrong { break }
        }
        // The exit code is that of a file which cannot be read, whatever else is not there.
        if let last { throw isReadable ? last : .failure(last.description) }
    }

    /// The text with the values of its references.
    mutating func filled(_ template: ReferenceTemplate) throws(CommandError) -> SecretValue {
        var parts: [SecretValue] = []
        var values = self
        try unsafe template.forEachPart { (reference) throws(CommandError) in
            try values.value(of: reference)
        } _: { (bytes) throws(CommandError) in
            unsafe parts.append(SecretValue(copying: bytes))
        }
        self = values
        return SecretValue.joined(parts)
    }
}

extension SecretReference {
    /// The reference that a word of the command line is; nil for another word.
    static func written(_ word: String) throws(CommandError) -> SecretReference? {
        do throws(ReferenceFault) { return try SecretReference(word) } catch {
            throw .usage("\(PlainText.shown(word)): \(error)")
        }
    }
}
