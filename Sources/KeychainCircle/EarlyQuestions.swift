// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
package import KeychainSync
internal import KeychainSystem

/// A server that is asked a question before the round comes to it, while the round does something else.
///
/// One question at a time is under way, and none when this ends.
package final class EarlyQuestions {
    private let server: any CircleTransport
    private var early: (request: CircleRequest, answer: SideThread<Result<CircleReply, CircleServerError>>)?

    package init(_ server: any CircleTransport) { self.server = server }

    /// Asks for what will be wanted soon.
    package func ask(_ request: CircleRequest) {
        early = nil
        early = (request, SideThread("llv-circle-ask") { [server] in EarlyQuestions.ask(server, request) })
    }

    /// The answer to a request, which may be there.
    package func answer(to request: CircleRequest) -> Result<CircleReply, CircleServerError> {
        let early = early
        self.early = nil
        // The connection is one thread's: also another question is over before this one is asked.
        guard let answer = early?.answer.result(), let asked = early?.request, asked.isSameHeads(as: request) else {
            return EarlyQuestions.ask(server, request)
        }
        return answer
    }

    private static func ask(
        _ server: any CircleTransport, _ request: CircleRequest
    ) -> Result<CircleReply, CircleServerError> {
        do throws(CircleServerError) { return .success(try server.perform(request)) } catch { return .failure(error) }
    }
}
