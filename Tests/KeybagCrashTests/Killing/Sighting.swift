// SPDX-License-Identifier: Apache-2.0

/// What a process found that looked at a keychain.
struct Sighting {
    var isInTPM = false
    var isWithoutPasscode = false
    var failures = 0
    var generation = 0
    /// The passcodes that opened it.
    var openers: [String] = []
    /// What became of a find before anything was unlocked.
    var whileLocked: [String: Int] = [:]
    var items: [String: String] = [:]
    /// Whether rows were passed over, as the notice on standard error says.
    var hasUnreadableRows = false
    /// What else was said, none of which should have been.
    var troubles: [String] = []
    /// What the keychain's own check complained of.
    var findings: [String] = []

    init(_ lines: [String]) {
        for line in lines {
            let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
            let last = words.last ?? ""
            switch words[0] {
            case "enclave": isInTPM = last == "tpm"
            case "state": isWithoutPasscode = last == "noPasscode"
            case "failures": failures = Int(last) ?? -1
            case "generation": generation = Int(last) ?? -1
            case "opens": openers.append(last)
            case "locked" where words.count == 3: whileLocked[words[1]] = Int(last)
            case "item" where words.count == 4 && words[2] == "0": items[words[1]] = words[3]
            case "item" where words.count == 4 && words[2] == "-25300": break
            case "check": findings.append(String(line.dropFirst("check ".count)))
            case "again:" where words.count > 1 && words[1] == "check":
                findings.append(String(line.dropFirst("again: check ".count)))
            case "llavero:" where line.contains("cannot be read"): hasUnreadableRows = true
            default: troubles.append(line)
            }
        }
    }

    /// Whether this is how a keychain in that state looks.
    func agrees(with state: CrashedKeychain) -> Bool {
        isInTPM == state.isInTPM && isWithoutPasscode == (state.passcode == nil)
            && openers == (state.passcode.map { [$0] } ?? []) && generation == state.generation && items == state.items
            && (!hasUnreadableRows || state.hasUnreadableRows)
            && whileLocked.allSatisfy { name, status in status == Sighting.statusWhileLocked(of: name, in: state) }
    }

    private static func statusWhileLocked(of name: String, in state: CrashedKeychain) -> Int {
        // A locked row says that it is there.
        guard state.items[name] != nil else { return -25300 }
        return name.contains(".dk.") || name.contains(".dku.") ? 0 : -25308
    }
}

extension Sighting: CustomStringConvertible {
    var description: String {
        let openers = isWithoutPasscode ? "anybody" : "\(openers)"
        let locked = whileLocked.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "in the \(isInTPM ? "TPM" : "file"), opened by \(openers), generation \(generation), "
            + "\(failures) failures, items \(items.keys.sorted()), locked \(locked)"
    }
}
