// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// What clients pay while another one behaves badly, beside what they pay when none does.
struct DisturbanceBenchmark {
    let plan: Plan
    let daemon: RunningDaemon
    let items: Int

    func rows() throws -> [Row] {
        let call = try CallRecorder.call(of: daemon, items: items)
        return [
            try row("one that does not read") { try Disturbance.stopReading(daemon.socket, call) },
            try row("half a call") { try Disturbance.halfCall(daemon.socket, call) },
            try row("10000 connections") { try Disturbance.manyConnections(daemon.socket, 10_000) },
        ]
    }

    /// The median of a client's finds, with and without the disturbance by turns.
    private func row(_ name: String, _ start: () throws -> Disturbance) throws -> Row {
        let client = try daemon.start("finds", items: items)
        let seconds = plan.isSmoke ? 0.2 : 0.5
        var (calm, disturbed): ([Double], [Double]) = ([], [])
        for _ in 0..<(plan.isSmoke ? 3 : 9) {
            calm += try DaemonClient.work([client], seconds: seconds).map { seconds * 1e6 / $0.calls }
            let disturbance = try start()
            disturbed += try DaemonClient.work([client], seconds: seconds).map { seconds * 1e6 / $0.calls }
            disturbance.stop()
        }
        return Row(
            name: "daemon: find beside \(name)", items: items, ours: disturbed.median, limit: calm.median,
            target: plan.isSmoke ? nil : .ratio(atMost: 1.2))
    }
}
