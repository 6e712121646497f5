// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

extension ScenarioObjects {
    /// A fresh access control; one that cannot be made is a mistake of the row.
    func object(_ description: VectorAccessControl) throws -> AnyObject {
        let control = try start(description)
        for (operation, value) in description.constraints.sorted(by: { $0.key < $1.key }) {
            let constraint = try object(value)
            guard SecAccessControlAddConstraintForOperation(control, NSString(string: operation), constraint, nil)
            else { throw VectorError("no constraint of \(operation)") }
        }
        if description.requiresPassword { SecAccessControlSetRequirePassword(control, true) }
        return control
    }

    private func start(_ description: VectorAccessControl) throws -> SecAccessControl {
        let protection = description.protection.map { NSString(string: $0) }
        if let names = description.flags, let protection {
            let flags = try ScenarioObjects.flags(names)
            guard let made = SecAccessControlCreateWithFlags(nil, protection, flags, nil) else {
                throw VectorError("no access control of \(protection) with \(names)")
            }
            return made
        }
        guard let made = SecAccessControlCreate(nil, nil) else { throw VectorError("no empty access control") }
        if let protection, !SecAccessControlSetProtection(made, protection, nil) {
            throw VectorError("no protection \(protection)")
        }
        return made
    }

    static func flags(_ names: [String]) throws -> SecAccessControlCreateFlags {
        try names.reduce(into: []) { flags, name in
            guard let flag = ScenarioObjects.flags[name] else { throw VectorError("unknown flag \(name)") }
            flags.insert(flag)
        }
    }

    private static let flags: [String: SecAccessControlCreateFlags] = [
        "userPresence": .userPresence, "biometryAny": .biometryAny, "biometryCurrentSet": .biometryCurrentSet,
        "devicePasscode": .devicePasscode, "companion": .companion, "or": .or, "and": .and,
        "privateKeyUsage": .privateKeyUsage, "applicationPassword": .applicationPassword,
    ]
}
