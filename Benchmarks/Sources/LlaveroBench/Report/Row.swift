// SPDX-License-Identifier: Apache-2.0

/// One line of the report.
struct Row {
    enum Unit: String {
        case microseconds = "us"
        case megabytes = "MB"
        case times
        case nothing = ""
    }

    /// What we want of a figure.
    enum Target {
        case ratio(atMost: Double)
        case ours(atMost: Double)
        case atLeast(Double)
        case ahead(atLeast: Double)
        /// Of what the other product takes.
        case share(atMost: Double)
    }

    var name: String
    var items: Int
    var ours: Double?
    var limit: Double?
    /// What another product takes for it.
    var peer: Double?
    var unit = Unit.microseconds
    var target: Target?
    var note: String?

    var ratio: Double? { quotient(ours, limit) }
    /// How many times faster than the other product we are.
    var ahead: Double? { quotient(peer, ours) }

    /// Whether the target is reached; nil when there is none or nothing was measured.
    var isReached: Bool? {
        switch target {
        case nil: nil
        case .ratio(let most): ratio.map { $0 <= most }
        case .ours(let most): ours.map { $0 <= most }
        case .atLeast(let least): ours.map { $0 >= least }
        case .ahead(let least): ahead.map { $0 >= least }
        case .share(let most): quotient(ours, peer).map { $0 <= most }
        }
    }

    private func quotient(_ dividend: Double?, _ divisor: Double?) -> Double? {
        guard let dividend, let divisor, divisor > 0 else { return nil }
        return dividend / divisor
    }
}
