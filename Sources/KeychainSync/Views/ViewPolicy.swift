// SPDX-License-Identifier: Apache-2.0

internal import KeychainCoding
internal import KeychainCrypto
internal import KeychainModel
package import KeychainRequest

/// Which items belong to a view, and what people call it: signed in the log, under the key of names.
package struct ViewPolicy: Sendable, Equatable {
    package let name: String
    /// The view hints (`kSecAttrSyncViewHint`) that it takes.
    package let hints: [String]
    /// Access groups; one that ends in a star stands for all that begin so.
    package let groups: [String]
    /// Whether it takes what no view asks for.
    package let takesTheRest: Bool

    package init(name: String, hints: [String] = [], groups: [String] = [], takesTheRest: Bool = false) {
        (self.name, self.hints, self.groups, self.takesTheRest) = (name, hints, groups, takesTheRest)
    }

    package func encoded() throws(CircleError) -> [UInt8] {
        try CircleCoding.encode(
            .array([
                .string(ViewPolicy.title), .string(name), .array(hints.map { .string($0) }),
                .array(groups.map { .string($0) }), .boolean(takesTheRest),
            ]))
    }

    package init(decoding bytes: [UInt8]) throws(CircleError) {
        guard case .array(let parts) = try CircleCoding.decode(bytes), parts.count == 5,
            parts[0] == .string(ViewPolicy.title), case .string(let name) = parts[1],
            let hints = ViewPolicy.texts(parts[2]), let groups = ViewPolicy.texts(parts[3]),
            case .boolean(let takesTheRest) = parts[4]
        else { throw .malformed }
        self.init(name: name, hints: hints, groups: groups, takesTheRest: takesTheRest)
    }

    private static func texts(_ part: PropertyList) -> [String]? {
        guard case .array(let values) = part else { return nil }
        var texts: [String] = []
        for value in values {
            guard case .string(let text) = value else { return nil }
            texts.append(text)
        }
        return texts
    }

    private static let title = "llavero policy"
}

/// The policies of all views: what a hint says goes before what a group says, and a longer group before a shorter.
package struct ViewPolicies: Sendable, Equatable {
    private let policies: [(view: SyncView, policy: ViewPolicy)]
    /// The views whose policy nobody can read: an owner wrote something else in its place.
    ///
    /// Which items are theirs is not known, so no item is known to be another view's either.
    package let unreadable: [SyncView]

    package init(_ policies: [SyncView: ViewPolicy], unreadable: [SyncView] = []) {
        self.unreadable = unreadable
        // In one order on all devices, so that two views which ask for one item do not each get it from some.
        self.policies = policies.map { (view: $0.key, policy: $0.value) }
            .sorted { $0.view.bytes.lexicographicallyPrecedes($1.view.bytes) }
    }

    /// Those that the log has; throws `missingKey` without the key of names that one is sealed with.
    package init(of membership: Membership, _ keys: ViewKeyring) throws(CircleError) {
        var policies: [SyncView: ViewPolicy] = [:]
        var unreadable: [SyncView] = []
        for (view, known) in Membership.sorted(membership.views) where view != membership.namesView {
            do throws(CircleError) {
                policies[view] = try ViewPolicy(decoding: keys.open(known.sealedPolicy, of: .policy(view)))
            } catch {
                switch error {
                case .malformed, .crypto(.authenticationFailed): unreadable.append(view)
                // A key that the log does not know will never come.
                case .missingKey where try !membership.hasNames(of: ViewKeyring.generation(of: known.sealedPolicy)):
                    unreadable.append(view)
                default: throw error
                }
            }
        }
        self.init(policies, unreadable: unreadable)
    }

    package static func == (left: ViewPolicies, right: ViewPolicies) -> Bool {
        left.unreadable == right.unreadable
            && left.policies.elementsEqual(right.policies) { $0.view == $1.view && $0.policy == $1.policy }
    }

    package subscript(view: SyncView) -> ViewPolicy? { policies.first { $0.view == view }?.policy }

    /// The view that an item belongs to; nil of what stays on its device.
    package func view(of item: SyncItem) -> SyncView? {
        let hint = item.attributes.text(.viewHint)
        if !hint.isEmpty, let found = policies.first(where: { $0.policy.hints.contains(hint) }) { return found.view }
        let group = item.attributes.text(.accessGroup)
        var best: (view: SyncView, length: Int)?
        for (view, policy) in policies {
            for pattern in policy.groups {
                guard let length = ViewPolicies.matchLength(pattern, group), length > best?.length ?? -1 else {
                    continue
                }
                best = (view, length)
            }
        }
        return best?.view ?? policies.first { $0.policy.takesTheRest }?.view
    }

    /// How much of a group a pattern names; nil when it is about others.
    private static func matchLength(_ pattern: String, _ group: String) -> Int? {
        guard pattern.ends(with: "*") else { return pattern.utf8.elementsEqual(group.utf8) ? .max : nil }
        let start = pattern.utf8.dropLast()
        return group.utf8.starts(with: start) ? start.count : nil
    }
}

extension Membership {
    /// Whether the log has a key of names of this generation.
    fileprivate func hasNames(of generation: UInt32) -> Bool {
        namesView.flatMap { views[$0]?.commitments[generation] } != nil
    }
}
