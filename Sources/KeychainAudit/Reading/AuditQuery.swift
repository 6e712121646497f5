// SPDX-License-Identifier: Apache-2.0

/// What somebody wants to know of a log who does not have its key.
package enum AuditQuery: Sendable, Equatable {
    /// Whether it is as its writer leaves it.
    case verdict
    /// The records behind one number; 0 for the first ones.
    case records(after: Int64, atMost: Int64)
}

/// What is answered to one.
package enum AuditAnswer: Sendable, Equatable {
    case verdict(AuditVerdict)
    case page(AuditPage)
}

extension AuditReader {
    package func answer(to query: AuditQuery) throws(AuditError) -> AuditAnswer {
        switch query {
        case .verdict: .verdict(AuditVerdict(try verify()))
        case .records(let number, let limit): .page(try page(after: number, atMost: limit))
        }
    }
}
