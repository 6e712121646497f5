// SPDX-License-Identifier: Apache-2.0

import KeychainSync
import Synchronization

/// A way to the server that says what went over it.
final class Metered: CircleTransport {
    private let way: any CircleTransport
    private let meter = Mutex(Meter())

    private struct Meter {
        var requests: [String] = []
        var seconds = 0.0
        var insertions: [(records: Int, seconds: Double)] = []
    }

    init(_ way: any CircleTransport) { self.way = way }

    /// What was asked since it was last reset.
    var requests: [String] { meter.withLock { $0.requests } }
    /// How long the answers took.
    var seconds: Double { meter.withLock { $0.seconds } }
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
            meter.requests.append(Metered.name(of: request))
            meter.seconds += seconds
            if case .insert(let insertion) = request {
                meter.insertions.append((insertion.records.count, seconds))
            }
        }
        return try result.get()
    }

    private static func name(of request: CircleRequest) -> String {
        switch request {
        case .newest: "newest"
        case .chain: "chain"
        case .bodies: "bodies"
        case .records: "records"
        case .headRecords: "records of heads"
        case .shares: "shares"
        case .seen: "seen"
        case .mail, .newestMail: "mail"
        case .insert: "insert"
        }
    }
}
