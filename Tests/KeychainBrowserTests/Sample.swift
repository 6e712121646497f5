// SPDX-License-Identifier: Apache-2.0

import KeychainBrowser
import KeychainModel
import KeychainTools

/// Browsers to try, without a keychain.
enum Sample {
    static func browser(
        columns: Int = 80, rows: Int = 24, lockAfter: UInt32? = nil, isUnicode: Bool = true
    ) -> Browser {
        Browser(
            Browser.Settings(
                keychain: "login", hideAfterSeconds: 30, lockAfterSeconds: lockAfter, isUnicode: isUnicode),
            columns: columns, rows: rows, at: 0)
    }

    static func item(
        _ number: Int, _ name: String, user: String = "", place: String = "", group: String = "llavero.passwords",
        kind: BrowserItem.Kind = .password
    ) -> BrowserItem {
        BrowserItem(
            number: number, identifier: "id:\(name)", kind: kind, name: name, user: user, place: place, group: group,
            isOwn: group == "llavero.passwords", changed: "2026-11-24", notes: "", mark: "")
    }

    /// With its one item on a page.
    static func opened(columns: Int = 80) -> Browser {
        var browser = browser(columns: columns)
        _ = browser.handle(.items([item(1, "mail", user: "ada")], isFirst: true, isLast: true), at: 0)
        _ = browser.handle(.key(.enter), at: 0)
        return browser
    }

    static func width(_ text: String) -> Int { TextWidth.of(text) }
}

extension Browser {
    /// What the screen shows, row by row.
    var screen: [String] {
        let frame = frame()
        return (0..<frame.rows).map { frame.line($0) }
    }

    /// Types letters; what is wanted after the last.
    mutating func type(_ text: String, at now: UInt64 = 0) -> [BrowserWish] {
        var wishes: [BrowserWish] = []
        for scalar in text.unicodeScalars { wishes = handle(.key(.character(scalar)), at: now) }
        return wishes
    }
}
