// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// A program that does with passwords what its standard input says, line by line, and answers each line.
///
/// A line is a verb, an account, perhaps an access group, and perhaps a value; the answer is both words, the status, and what was found.
enum Asker {
    static func run() -> Int32 {
        while let line = readLine() {
            let words = line.split(separator: " ").map(String.init)
            guard words.count > 1,
                let answer = answer(words[0], words[1], words.dropFirst(2).first, words.dropFirst(3).first)
            else { return 64 }
            print(words[0], words[1], answer)
            fflush(nil)
        }
        return 0
    }

    private static func answer(_ verb: String, _ account: String, _ group: String?, _ value: String?) -> String? {
        var query: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "asked"]
        query[kSecAttrAccessGroup] = group
        let all = query
        query[kSecAttrAccount] = account
        switch verb {
        case "add":
            query[kSecValueData] = Data((value ?? "value of \(account)").utf8)
            // What a value is marked with, its attributes are marked with too.
            query[kSecAttrLabel] = value
            query[kSecAttrComment] = value
            return "\(SecItemAdd(query as CFDictionary, nil))"
        case "get": return get(query)
        case "reference":
            let (status, reference) = find(query, [kSecReturnPersistentRef]) as (OSStatus, Data?)
            return "\(status) \(reference?.base64EncodedString() ?? "nothing")"
        case "group":
            let (status, item) = find(query, [kSecReturnAttributes]) as (OSStatus, [String: Any]?)
            return "\(status) \(item?[kSecAttrAccessGroup as String] as? String ?? "nothing")"
        case "update": return "\(SecItemUpdate(query as CFDictionary, [kSecAttrLabel: "new"] as CFDictionary))"
        case "delete": return "\(SecItemDelete(query as CFDictionary))"
        case "move":
            query[kSecAttrAccessGroup] = nil
            return "\(SecItemUpdate(query as CFDictionary, [kSecAttrAccessGroup: group ?? ""] as CFDictionary))"
        case "list": return list(all)
        case "finds":
            query[kSecAttrAccessGroup] = nil
            return finds(query, Int(group ?? "") ?? 0)
        case "keys": return keys(account, group ?? "")
        case "circle": return CircleAsker.answer(account)
        case "library": return "\(isLoaded(account) ? 1 : 0)"
        default: return nil
        }
    }

    /// Locks, unlocks, sets a passcode, or says how the keychain stands.
    private static func keys(_ wish: String, _ passcode: String) -> String {
        do {
            switch wish {
            case "lock": try Llavero.keybag.lock()
            case "unlock": try Llavero.keybag.unlock(with: Llavero.Passcode(passcode))
            case "time":
                try Llavero.keybag.lock()
                let start = DispatchTime.now().uptimeNanoseconds
                try Llavero.keybag.unlock(with: Llavero.Passcode(passcode))
                return "unlocked \((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000)"
            case "set": try Llavero.keybag.setPasscode(Llavero.Passcode(passcode), erasingAfter: nil)
            case "words":
                let key = try Llavero.keybag.makeRecoveryKey(passcode: Llavero.Passcode(passcode))
                return "\(try key.words.split(separator: " ").count)"
            case "rotate":
                try Llavero.keybag.rotateKeys(passcode: Llavero.Passcode(passcode))
                try Llavero.keybag.reseal()
            case "who": return try Llavero.identity().map { "\($0.level): \($0.explanation)" } ?? "nobody"
            case "check": return "\(try Llavero.check().count)"
            default: break
            }
            return "\(try Llavero.keybag.status().lockState)"
        } catch let error as LlaveroError { return "\(error.status)" } catch { return "strange" }
    }

    private static func get(_ query: [CFString: Any]) -> String {
        let (status, data) = find(query, [kSecReturnData]) as (OSStatus, Data?)
        return "\(status) \(data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing")"
    }

    /// So many finds of one item: how the first that failed did, else 0; microseconds of half of them, of 99 of 100, and of the longest.
    private static func finds(_ query: [CFString: Any], _ count: Int) -> String {
        var times: [Double] = []
        for _ in 0..<count {
            let start = DispatchTime.now().uptimeNanoseconds
            let answer = get(query)
            times.append(Double(DispatchTime.now().uptimeNanoseconds - start) / 1000)
            guard answer.hasPrefix("0 ") else { return answer }
            // As a program does, and not as a loop.
            usleep(1000)
        }
        times.sort()
        guard let longest = times.last else { return "-50 none" }
        return "0 \(Int(times[times.count / 2])),\(Int(times[times.count * 99 / 100])),\(Int(longest))"
    }

    private static func list(_ query: [CFString: Any]) -> String {
        var query = query
        query[kSecMatchLimit] = kSecMatchLimitAll
        let (status, items) = find(query, [kSecReturnAttributes, kSecReturnData]) as (OSStatus, [[String: Any]]?)
        let accounts = items?.compactMap { $0[kSecAttrAccount as String] as? String } ?? []
        return "\(status) \(accounts.sorted().joined(separator: ","))"
    }

    private static func find<Found>(_ query: [CFString: Any], _ returns: [CFString]) -> (OSStatus, Found?) {
        var query = query
        for key in returns { query[key] = true }
        var result: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &result)
        return (status, result as? Found)
    }

    /// Whether a library whose name has this in it is in this process.
    private static func isLoaded(_ name: String) -> Bool {
        let maps = try? FileHandle(forReadingAtPath: "/proc/self/maps")?.readToEnd()
        return String(decoding: maps ?? Data(), as: UTF8.self).contains(name)
    }
}
