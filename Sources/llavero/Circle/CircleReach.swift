// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainTools

/// Who sees a change of a shared item that is made here.
enum CircleReach {
    case allMachines
    /// It writes into no view: what it changes stays here.
    case readsOnly
    case removed
    /// The keychain is in none, never was or has left.
    case noCircle

    /// It does not write these views, by their names.
    case outside([String])

    /// Of an item's change, without asking anybody; where that does not tell, a change is for all.
    init(of keychain: ToolKeychain, _ itemClass: ItemClass, _ attributes: AttributeList) {
        var keychain = keychain
        keychain.asksToUnlock = false
        do throws(CommandError) {
            guard let circle = try CircleTool(of: keychain).localIfAny() else {
                self = .noCircle
                return
            }
            let item = SyncItem(itemClass: itemClass, attributes: attributes, secret: nil)
            self.init(of: circle, CircleNames(of: circle).view(of: item).map { [$0] } ?? [])
        } catch { self = .allMachines }
    }

    init(of item: ToolItem) { self.init(of: item.keychain, item.itemClass, item.attributes) }

    /// Of a change in any view.
    init(of circle: LocalCircle) { self.init(of: circle, CircleNames(of: circle).views.map(\.view)) }

    private init(of circle: LocalCircle, _ views: [SyncView]) {
        let own = (try? circle.device.card.id()).flatMap { circle.state.log.membership.members[$0] }
        guard let own else {
            self = .allMachines
            return
        }
        let outside = views.filter { own.roles.views[$0] != .writer }
        if !own.isPresent {
            self = .removed
        } else if !own.roles.views.isEmpty, !own.roles.views.values.contains(.writer) {
            self = .readsOnly
        } else {
            self = outside.isEmpty ? .allMachines : .outside(outside.map(CircleNames(of: circle).view))
        }
    }

    /// Why a change stays here; nil where it does not.
    var obstacle: String? {
        switch self {
        case .allMachines: nil
        case .readsOnly: "this machine only reads what the circle shares"
        case .removed: "this machine was removed from the circle"
        case .noCircle: "the keychain is in no circle"
        case .outside(let views):
            "this machine does not write the view\(views.count == 1 ? "" : "s") \(views.map(PlainText.shown).joined(separator: ", "))"
        }
    }

    /// What is said of a change, which is `words` ("changes on") for all machines.
    func told(_ words: String, of title: String) -> String {
        guard let obstacle else { return "\(title) \(words) all machines that share it" }
        // What is newer wins when it comes there, a removal too.
        if case .noCircle = self {
            return
                "\(title) \(words) this machine; \(obstacle), and once it is in that of others who share the item, theirs goes the same way"
        }
        let until = if case .readsOnly = self { ", until it may write" } else { "" }
        return "\(title) \(words) this machine alone: \(obstacle), and the others stay as they are\(until)"
    }
}
