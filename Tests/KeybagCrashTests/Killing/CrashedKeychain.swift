// SPDX-License-Identifier: Apache-2.0

/// What a keychain is, as far as the scripts change it.
struct CrashedKeychain: Equatable {
    /// A recovery key, if there is one.
    enum Paper: Equatable {
        case none
        case words(String)
        /// The one that a step of the script made, by the step's number.
        case madeIn(Int)
    }

    var passcode: String?
    var isInTPM = false
    /// Whether the device key is there, or the TPM the keychain was made with.
    var hasDevice = true
    /// Wrong passcodes in a row.
    var failures = 0
    var generation = 1
    /// Values by name.
    var items: [String: String] = [:]
    var paper = Paper.none
    /// Whether a recovery left rows behind that nothing reads any more.
    var hasUnreadableRows = false

    /// How a step changes it, when it succeeds.
    func after(_ step: Step, number: Int) -> CrashedKeychain {
        var state = self
        switch step.verb {
        case "create":
            state.isInTPM = step.values[0] == "tpm"
            state.paper = .madeIn(number)
        case "add": state.items[step.values[0]] = "first of \(step.values[0])"
        case "update": state.items[step.values[0]] = "second of \(step.values[0])"
        case "delete": state.items[step.values[0]] = nil
        case "set": state.passcode = step.values[0]
        case "change":
            state.passcode = step.values[1]
            state.failures = 0
        case "remove":
            state.passcode = nil
            state.failures = 0
            state.items = items.filter { !$0.key.contains(".akpu.") }
        case "unlock": state.failures = 0
        case "wrong": state.failures += 1
        case "rotate":
            state.generation += 1
            state.failures = 0
        case "paper":
            state.paper = .madeIn(number)
            state.failures = 0
        case "move":
            state.isInTPM = step.values[0] == "tpm"
            state.failures = 0
            state.passcode = step.values.last.flatMap { step.values.count == 3 ? $0 : nil }
        case "recover":
            state.isInTPM = step.values[1] == "tpm"
            state.passcode = step.values.count > 2 ? step.values[2] : nil
            state.generation += 1
            state.failures = 0
            state.items = items.filter { isRecovered($0.key) }
            state.hasDevice = true
            state.hasUnreadableRows = state.items.count < items.count
        default: break
        }
        return state
    }

    /// Whether an item is readable after a recovery: if it may leave the device, or the device still opens it.
    private func isRecovered(_ name: String) -> Bool {
        var classes = [".ak.", ".ck.", ".dk."]
        if hasDevice { classes += passcode == nil ? [".aku.", ".cku.", ".dku."] : [".dku."] }
        return classes.contains { name.contains($0) }
    }
}

/// One step of a script, as the helper takes it.
struct Step: CustomStringConvertible {
    let word: String
    let verb: String
    let values: [String]

    init(_ word: String) {
        self.word = word
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        verb = parts[0]
        values = parts.count > 1 ? parts[1].split(separator: ",").map(String.init) : []
    }

    /// Whether it can be taken in any state that it was taken in before, by a process that has just begun.
    var changesKeybag: Bool {
        ["set", "change", "remove", "rotate", "move", "paper"].contains(verb)
    }

    /// Without the words of a recovery key.
    var description: String { verb == "recover" ? "recover" : word }
}
