// SPDX-License-Identifier: Apache-2.0

/// A method of somebody on a bus.
package struct BusMethod: Sendable {
    let destination: String
    let path: String
    let interface: String
    let member: String

    package init(destination: String, path: String, interface: String, member: String) {
        self.destination = destination
        self.path = path
        self.interface = interface
        self.member = member
    }

    /// What methods are given here: there are no others.
    package enum Argument: Sendable {
        case text(String)
        case number(UInt32)
    }

    /// One of the bus itself.
    package static func ofBus(_ member: String) -> BusMethod {
        BusMethod(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus", interface: "org.freedesktop.DBus",
            member: member)
    }
}

/// Why nothing came over a bus.
package enum BusFailure: Error, Sendable {
    case wait(BrokenWait)
    case refused(BusRefusal)
    /// Not a word came, or none that was expected; an errno.
    case broken(Int32)
}

/// Why somebody refused a call, or we refuse to call.
package enum BusRefusal: Equatable, Sendable {
    case untrusted
    case noDevice
    case noFinger
    case notAllowed
    case inUse
    case noOwner
    case noService
    case other(errno: Int32)

    static let allNamed: [(refusal: BusRefusal, name: String)] = [
        (.noDevice, "net.reactivated.Fprint.Error.NoSuchDevice"),
        // What a reader says that was pulled out since its path was asked for.
        (.noDevice, "org.freedesktop.DBus.Error.UnknownMethod"),
        (.noDevice, "org.freedesktop.DBus.Error.UnknownObject"),
        (.noDevice, "org.freedesktop.DBus.Error.UnknownInterface"),
        (.noFinger, "net.reactivated.Fprint.Error.NoEnrolledPrints"),
        (.notAllowed, "net.reactivated.Fprint.Error.PermissionDenied"),
        (.notAllowed, "org.freedesktop.DBus.Error.AccessDenied"),
        (.inUse, "net.reactivated.Fprint.Error.AlreadyInUse"),
        (.noOwner, "org.freedesktop.DBus.Error.NameHasNoOwner"),
        (.noService, "org.freedesktop.DBus.Error.ServiceUnknown"),
    ]
}
