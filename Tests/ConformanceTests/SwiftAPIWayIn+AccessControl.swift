// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

extension SwiftAPIWayIn {
    func perform(_ call: AccessControlCall) throws -> Reply {
        switch call.function {
        case .makeAccessControl, .decodeAccessControl: try make(call)
        case .setProtection, .addConstraint, .setBound: try change(call)
        default: try look(call)
        }
    }

    private func make(_ call: AccessControlCall) throws -> Reply {
        var error: Unmanaged<CFError>?
        guard call.function == .makeAccessControl else {
            return reply(SecAccessControlCreateFromData(nil, try call.object("data", as: NSData.self), &error), error)
        }
        let flags = try ScenarioObjects.flags(call.flags)
        return reply(SecAccessControlCreateWithFlags(nil, try call.object("protection"), flags, &error), error)
    }

    private func change(_ call: AccessControlCall) throws -> Reply {
        var error: Unmanaged<CFError>?
        let control = try call.object("accessControl", as: SecAccessControl.self)
        let done: Bool
        switch call.function {
        case .setProtection: done = SecAccessControlSetProtection(control, try call.object("protection"), &error)
        case .addConstraint:
            done = SecAccessControlAddConstraintForOperation(
                control, try call.object("operation"), try call.object("constraint"), &error)
        default:
            SecAccessControlSetBound(control, try call.object("bound", as: NSNumber.self).boolValue)
            done = true
        }
        guard !done else { return Reply(status: errSecSuccess) }
        return reply(nil, error)
    }

    private func look(_ call: AccessControlCall) throws -> Reply {
        let control = try call.object("accessControl", as: SecAccessControl.self)
        let result: AnyObject? =
            switch call.function {
            case .constraint: SecAccessControlGetConstraint(control, try call.object("operation"))
            case .protection: SecAccessControlGetProtection(control)
            case .requiresPassword: NSNumber(value: SecAccessControlGetRequirePassword(control))
            case .isBound: NSNumber(value: SecAccessControlIsBound(control))
            default: SecAccessControlCopyData(control)
            }
        return Reply(status: errSecSuccess, result: result)
    }
}
