// SPDX-License-Identifier: Apache-2.0

/// What a keychain may be after a script was killed: as it was before the step under way, or as it is after it.
struct Verdict {
    /// Before the step under way, and after it.
    let states: [CrashedKeychain]
    /// What the script said of itself that no script should.
    let troubles: [String]
    /// The step under way.
    let step: Step?
    /// Whether enclaves may have been put aside: by a recovery, or by whoever found a move that was cut short.
    let allowsAsides: Bool
    /// The recovery keys that were shown, by the number of the step.
    private let papers: [Int: String]

    /// `lines` is what the script said until it was killed.
    init(_ script: Script, after lines: [String]) {
        let done = lines.filter { $0.hasPrefix("done ") }.count
        var state = script.template.state
        var papers: [Int: String] = [:]
        var seen = 0
        for line in lines {
            if line.hasPrefix("done ") { seen += 1 }
            if line.hasPrefix("paper ") { papers[seen] = String(line.dropFirst("paper ".count)) }
        }
        for (number, step) in script.steps.prefix(done).enumerated() { state = state.after(step, number: number) }
        let step = done < script.steps.count ? script.steps[done] : nil
        states = [state] + (step.map { [state.after($0, number: done)] } ?? [])
        troubles = lines.filter { !$0.hasPrefix("done ") && !$0.hasPrefix("paper ") }
        self.step = step
        let verbs = script.steps.prefix(done).map(\.verb)
        allowsAsides = step?.verb == "move" || step?.verb == "recover" || verbs.contains("recover")
        self.papers = papers
    }

    /// Everything that was in the keychain, or was about to be.
    var itemNames: [String] { Set(states.flatMap(\.items.keys)).sorted() }

    /// `attempts` at the passcode may have been counted that nobody heard of; nil when the counter says nothing.
    func complaints(about sighting: Sighting, attempts: Int?) -> [String] {
        var complaints = sighting.troubles
        guard let state = states.first(where: sighting.agrees) else {
            return complaints + ["neither as before nor as after \(step?.description ?? "the end"): \(sighting)"]
        }
        // A row of a class that a recovery gave up is rightly complained of.
        complaints += sighting.findings.filter { !(state.hasUnreadableRows && $0.hasSuffix("cannot be read")) }
        guard let attempts else { return complaints }
        let least = states.map(\.failures).min() ?? 0
        let most = (states.map(\.failures).max() ?? 0) + attempts
        if sighting.failures < least || sighting.failures > most {
            complaints.append("\(sighting.failures) failures instead of \(least) to \(most)")
        }
        return complaints
    }

    /// The last recovery key that was shown opens the keychain, unless another was about to take its place.
    func complaints(aboutPapersOf leftovers: Leftovers) throws -> [String] {
        let opening = try states.map { state in
            switch state.paper {
            case .none: try !leftovers.hasRecoveryKey()
            case .words(let words): try leftovers.isOpened(by: words)
            // Not shown yet, so that nobody knows it: it is there, and no earlier one is.
            case .madeIn(let number):
                if let words = papers[number] {
                    try leftovers.isOpened(by: words)
                } else {
                    try leftovers.hasRecoveryKey() && papers.values.allSatisfy { try !leftovers.isOpened(by: $0) }
                }
            }
        }
        return opening.contains(true) ? [] : ["the recovery key is not the one that was shown"]
    }
}
