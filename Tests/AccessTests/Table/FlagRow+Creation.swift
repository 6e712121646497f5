// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension FlagRow {
    /// The access control of the row; nil where there is none, as there has to be none for a contradiction.
    func accessControl(_ accessibility: Class) -> SecAccessControl? {
        var error: Unmanaged<CFError>?
        let control = SecAccessControlCreateWithFlags(nil, accessibility.name as CFString, flags, &error)
        let status = error.map { OSStatus(CFErrorGetCode($0.takeRetainedValue())) }
        if case .contradiction = meaning {
            #expect(control == nil && status == errSecParam, "\(name)")
        } else {
            #expect(control != nil && status == nil, "\(name)")
        }
        return control
    }
}
