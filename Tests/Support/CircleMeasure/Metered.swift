// SPDX-License-Identifier: Apache-2.0

import Dispatch
import KeychainSync
import Synchronization

/// A way to the server that says what went over it.
final class Metered: CircleTransport {
    private let way: any CircleTransport
    private let meter = Mutex(Meter())

    private struct Meter {
        var requests: [(name: String, seconds: Double)] = []
        var insertions: [(records: Int, seconds: Double)] = []
        var lastInsertion: DispatchTime?
    }

    init(_ way: any CircleTransport) { self.way = way }

    /// What was asked since it was last reset.
    var requests: [String] { meter.withLock { $0.requests.map(\.name) } }
    /// How long each answer took.
    var each: [Double] { meter.withLock { $0.requests.map(\.seconds) } }
    /// How long the answers took.
    var seconds: Double { each.reduce(0, +) }
    /// When the last insertion was there.
    var lastInsertion: DispatchTime? { meter.withLock { $0.lastInsertion } }
    /// How long each insertion of so many records took.
    func insertions(of records: Int) -> [Double] {
        meter.withLock { $0.insertions.filter { $0.records == records }.map(\.seconds) }
    }

    func reset() { meter.withLock { $0 = Meter() } }

    func perform(_ request: CircleRequest) throws(CircleServerError) -> CircleReply {
        var result: Result<CircleReply, CircleServerError> = .success(.done)
        let seconds = Figure.time {
            do throws(CircleServerError) { result = .success(try way.perform(request)) } catch {
                result = .failure(error)
            }
        }
        meter.withLock { meter in
            meter.requests.append((Metered.name(of: request), seconds))
            guard case .insert(let insertion) = request else { return }
            meter.insertions.append((insertion.records.count, seconds))
            meter.lastInsertion = DispatchTime.now()
        }
        return try result.get()
    }

    private static func name(of request: CircleRequest) -> String {
        switch request {
        case .newest: "newest"
        case .chain: "chain"
        case .bodies: "bodies"
        case .records: "records"
        case .shares: "shares"
        case .seen: "seen"
        case .mail, .newestMail: "mail"
        case .insert: "insert"
        }
    }
}
