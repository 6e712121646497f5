// SPDX-License-Identifier: Apache-2.0

package import KeychainAuthentication
internal import KeychainModel
internal import KeychainSystem

/// Where the person of a client is asked.
package struct Seat: Sendable {
    private let prompt: @Sendable (BusClient) -> any SecretPrompt
    private let confirmation: @Sendable (BusClient, SecretQuestion) -> Bool?
    private let isThere: @Sendable (BusClient) -> Bool

    /// `prompt` asks for passcodes, `confirmation` for a yes, where nil stands for no answer; `isThere` says whether there is a
    /// display at all.
    package init(
        prompt: @escaping @Sendable (BusClient) -> any SecretPrompt,
        confirmation: @escaping @Sendable (BusClient, SecretQuestion) -> Bool?,
        isThere: @escaping @Sendable (BusClient) -> Bool
    ) {
        self.isThere = isThere
        self.prompt = prompt
        self.confirmation = confirmation
    }

    /// Whether there is anything to ask with; where not, every question ends at once.
    func canAsk(_ client: BusClient) -> Bool { isThere(client) }

    /// Asks for passcodes until `attempt` is satisfied with one; false where the person gave up, or could not be asked.
    ///
    /// `attempt` answers what was wrong with it, or nil.
    func ask(
        _ client: BusClient, title: String, description: String, prompt label: String, confirms: Bool,
        _ cancellation: Cancellation, _ attempt: (borrowing SecretBytes) -> String?
    ) -> Bool {
        var complaint: String?
        for _ in 0..<Seat.mostAttempts {
            let question = SecretQuestion(
                title: title, description: description, prompt: label, error: complaint, confirms: confirms,
                timeout: Seat.timeout, cancellation: cancellation)
            do throws(PromptError) {
                let secret = try prompt(client).ask(question)
                complaint = attempt(secret)
            } catch { return false }
            if complaint == nil { return true }
        }
        return false
    }

    /// Whether the person said yes; nil where nobody answered.
    func agrees(
        _ client: BusClient, title: String, description: String, ok: String, cancel: String,
        _ cancellation: Cancellation
    ) -> Bool? {
        confirmation(
            client,
            SecretQuestion(
                title: title, description: description, prompt: "", okTitle: ok, cancelTitle: cancel,
                timeout: Seat.timeout, cancellation: cancellation))
    }

    private static let mostAttempts = 3
    private static let timeout: UInt32 = 120
}
