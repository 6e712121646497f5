// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

extension FlagRow {
    /// All rows on the class that needs a passcode; on the others every third, and another third on the next class.
    ///
    /// So each is tried on three classes. `KEYCHAIN_ROWS=all` tries every row on every class.
    static func tried(_ rows: [FlagRow], on accessibility: Class) -> [FlagRow] {
        let wantsAll = ProcessInfo.processInfo.environment["KEYCHAIN_ROWS"] == "all"
        if wantsAll || accessibility.needsPasscode { return rows }
        let number = Class.all.firstIndex { $0.name == accessibility.name } ?? 0
        return rows.enumerated().filter { ($0.offset + number) % 3 == 0 }.map(\.element)
    }

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
