// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
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

    /// Without asking anybody; where that does not tell, a change is for all.
    init(of keychain: ToolKeychain) {
        var keychain = keychain
        keychain.asksToUnlock = false
        do throws(CommandError) {
            let circle = try CircleTool(of: keychain).localIfAny()
            self = circle.map { CircleReach(of: $0) } ?? .noCircle
        } catch { self = .allMachines }
    }

    init(of circle: LocalCircle) {
        let own = (try? circle.device.card.id()).flatMap { circle.state.log.membership.members[$0] }
        guard let own else {
            self = .allMachines
            return
        }
        let writes = own.roles.views.values.contains(.writer)
        self = !own.isPresent ? .removed : writes || own.roles.views.isEmpty ? .allMachines : .readsOnly
    }

    /// Why a change stays here; nil where it does not.
    var obstacle: String? {
        switch self {
        case .allMachines: nil
        case .readsOnly: "this machine only reads what the circle shares"
        case .removed: "this machine was removed from the circle"
        case .noCircle: "the keychain is in no circle"
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
        return "\(title) \(words) this machine alone: \(obstacle), and the others keep theirs"
    }
}
