// SPDX-License-Identifier: Apache-2.0

internal import KeychainAuthentication
internal import KeychainModel
internal import KeychainRequest

/// What is going on with one request.
struct Asking {
    let terms: AuthenticationTerms
    /// Where the person is.
    let seat: Seat?
    let id: AuthenticationContextID
    let cancellation: PromptCancellation
    let work: WorkOrder
    private let program: String?
    /// The fingers that are enrolled now, where somebody has looked.
    var currentFingers: [UInt8]?
    var areFingersKnown = false
    /// What was wrong with the last answer.
    var complaint: String?
    /// Whether a finger was tried and did not do: the other way is gone from then on.
    var hasFingerFailed = false

    init(
        _ terms: AuthenticationTerms, _ id: AuthenticationContextID, _ caller: Caller,
        _ cancellation: PromptCancellation
    ) {
        self.cancellation = cancellation
        seat = caller.seat
        work = caller.work
        self.terms = terms
        self.id = id
        // The file may be named so that it looks like words of ours.
        program = caller.program?.shown(bytes: 300)
    }

    /// Who wants something, and what for: the first line is ours, the others are the program's own words.
    func words(_ wish: String) -> String {
        "\(program ?? "A program") \(wish)." + (terms.reason.map { "\n\($0)" } ?? "")
    }
}
