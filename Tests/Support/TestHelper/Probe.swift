// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security

/// Does what its arguments say, one after another, and prints what came of each on one line.
enum Probe {
    static func run(_ verbs: [String]) {
        var passwords = Passwords(service: "probe")
        for verb in verbs {
            let words = verb.split(separator: "=", maxSplits: 1).map(String.init)
            let account = words.count > 1 ? words[1] : "account"
            switch words[0] {
            case "add": print("add", passwords.add(account, "value of \(account)"))
            case "update": print("update", passwords.update(account, "other value of \(account)"))
            case "delete": print("delete", passwords.delete(account))
            case "find":
                let (status, value) = passwords.find(account)
                print("find", status, value ?? "-")
            case "classic":
                let service = Array("probe".utf8CString.dropLast())
                let status = account.withCString { name in
                    SecKeychainFindGenericPassword(
                        nil, UInt32(service.count), service, UInt32(account.utf8.count), name, nil, nil, nil)
                }
                print("classic", status)
            case "service": passwords = Passwords(service: account)
            case "list":
                let (status, items) = passwords.all()
                print("list", status, items.keys.sorted().joined(separator: " "))
            case "why": print("why", Llavero.lastFailure ?? "-")
            case "folder":
                do { print("folder", try Llavero.folder() ?? "memory") } catch { print("folder", error) }
            case "check":
                do {
                    let findings = try Llavero.check()
                    print("check", findings.isEmpty ? "clean" : findings.joined(separator: "; "))
                } catch { print("check", error) }
            case "killed":
                fflush(nil)
                kill(getpid(), SIGKILL)
            default: print("no such verb: \(verb)")
            }
        }
    }
}
