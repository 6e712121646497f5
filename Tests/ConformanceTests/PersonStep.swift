// SPDX-License-Identifier: Apache-2.0

/// What happens to the person of a row, to their device, and to what they show, as a row writes it.
enum PersonStep: Sendable {
    case setPasscode(String)
    case changePasscode(from: String, to: String)
    case removePasscode(String)
    /// Other fingers are enrolled; nil takes the reader away.
    case enroll(String?)
    /// What the person was asked so far.
    case questions
    /// An `LAContext`, with what it was given.
    case makeContext(VectorContext)
    case invalidate(VectorValue)

    /// nil for an operation of another kind.
    init?(_ name: String, _ fields: inout VectorFields, at place: String) throws {
        switch name {
        case "passcode":
            let set = try fields.string("set")
            let removed = try fields.string("remove")
            switch (set, removed) {
            case (let passcode?, nil): self = .setPasscode(passcode)
            case (nil, let passcode?): self = .removePasscode(passcode)
            case (let new?, let old?): self = .changePasscode(from: old, to: new)
            case (nil, nil): throw VectorError("\(place): a passcode is set, removed or both")
            }
        case "fingers": self = .enroll(try fields.string("enrolled"))
        case "questions": self = .questions
        case "context":
            self = .makeContext(
                VectorContext(
                    password: try fields.string("password"), passcode: try fields.string("passcode"),
                    reason: try fields.string("reason"), forbidsInteraction: try fields.boolean("forbidsInteraction")))
        case "invalidate": self = .invalidate(try VectorValue(try fields.require("context"), at: place))
        default: return nil
        }
    }
}

/// An authentication context that a row makes.
struct VectorContext: Sendable {
    let password: String?
    let passcode: String?
    let reason: String?
    let forbidsInteraction: Bool
}
