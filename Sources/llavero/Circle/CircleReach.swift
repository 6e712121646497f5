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

    /// Without asking anybody; where that does not tell, as of a keychain that is in no circle yet, a change is for all.
    init(of keychain: ToolKeychain) {
        var keychain = keychain
        keychain.asksToUnlock = false
        guard let circle = try? CircleTool(of: keychain).localIfAny() else {
            self = .allMachines
            return
        }
        self.init(of: circle)
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
        }
    }

    /// What is said of a change, which is `words` ("changes on") for all machines.
    func told(_ words: String, of title: String) -> String {
        obstacle.map { "\(title) \(words) this machine alone: \($0), and the others keep theirs" }
            ?? "\(title) \(words) all machines that share it"
    }
}
