// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import KeychainAuthentication
internal import KeychainCrypto
internal import KeychainModel
internal import KeychainRequest
internal import KeychainStore

/// The ways to meet an item's demand: the passcode, a finger, or both.
extension KeychainEngine {
    func meetWays(_ ways: [Set<AccessFactor>], _ asking: inout Asking) throws(KeychainError) {
        let knownFingers = asking.currentFingers
        try look(&asking)
        let fingers = asking.currentFingers
        // Other fingers are enrolled now than any of the ways is for: with that known, the operation does without the item
        // (decision D28). What demands them all the same is refused below.
        if let fingers, fingers != knownFingers, ways.allSatisfy({ $0.isForOtherFingers(than: fingers) }) { return }
        let keybag = try keybag().keys
        let (shown, given) = try contexts.read(asking.id) {
            ($0.secrets(enrolled: fingers).valid(in: keybag), $0.given)
        }
        // What was shown before is enough, now that it is known to be of the fingers that are enrolled.
        if ways.contains(where: shown.meets) { return }
        let isPasscodeSet = keybag.header.passcode != nil
        // What is missing on each way that can be gone here; the easiest first, and a finger before typing.
        let open = ways.compactMap { way -> Set<AccessFactor>? in
            let missing = way.filter { !shown.meets([$0]) }
            let canBeMet = missing.allSatisfy { factor in
                switch factor {
                case .passcode: isPasscodeSet
                case .biometryAny: fingers != nil
                case .biometrySet(let set): set != nil && set == fingers
                case .presence, .companion: false
                }
            }
            return canBeMet ? missing : nil
        }
        let mayAsk = asking.terms.interaction == .allowed
        let usable = mayAsk ? open : open.filter { $0 == [.passcode] && given.contains(.passcode) }
        let (isGiven, hasFingerFailed) = (given.contains(.passcode), asking.hasFingerFailed)
        func trouble(_ factor: AccessFactor) -> Int {
            factor == .passcode ? (isGiven ? 0 : 3) : (hasFingerFailed ? 10 : 2)
        }
        func totalTrouble(_ way: Set<AccessFactor>) -> Int { way.reduce(0) { $0 + trouble($1) } }
        guard let way = usable.min(by: { totalTrouble($0) < totalTrouble($1) }) else {
            guard mayAsk else { throw KeychainEngine.nobodyMayBeAsked }
            throw KeychainEngine.unmeetable(ways, isPasscodeSet: isPasscodeSet, fingers: fingers)
        }
        for factor in way.sorted(by: { trouble($0) < trouble($1) }) {
            switch factor {
            case .passcode: try showPasscode(&asking)
            case .biometryAny, .biometrySet: try showFinger(&asking, hasOtherWay: open.contains([.passcode]))
            case .presence, .companion: break
            }
        }
    }

    static let nobodyMayBeAsked = KeychainError(
        .interactionNotAllowed, "the item demands somebody, and the request lets nobody be asked", subject: "accc")

    private static func unmeetable(
        _ ways: [Set<AccessFactor>], isPasscodeSet: Bool, fingers: [UInt8]?
    ) -> KeychainError {
        let factors = Set(ways.joined())
        if factors.contains(.passcode), !isPasscodeSet {
            return KeychainError(
                .authenticationFailed, "the item demands the passcode, and this keychain has none; set one",
                subject: "accc")
        }
        let isOfOtherFingers = factors.contains { if case .biometrySet = $0 { true } else { false } }
        if isOfOtherFingers, fingers != nil {
            return KeychainError(
                .authenticationFailed, "the enrolled fingers are not those the item was stored for", subject: "accc")
        }
        return KeychainError(
            .authenticationFailed, "the item demands a finger, and no reader with an enrolled one is here",
            subject: "accc")
    }
}
