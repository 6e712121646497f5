// SPDX-License-Identifier: Apache-2.0

// The first program everybody writes with a keychain: is my identifier there? If not, make one and keep it.
// It runs on a keychain in a temporary folder, so it changes nothing of yours.

import KeychainWrappers
import Security

let service = "org.example.first-demo"
let identifier = UUID().uuidString

func loaded() -> String? { MyKeychain.load(service, as: String.self) }

/// Prints one step and ends the program when it did not turn out as it must.
func step(_ title: String, _ shown: String, asExpected: Bool) {
    print(title.padding(toLength: 20, withPad: " ", startingAt: 0) + shown)
    guard asExpected else {
        print("That is not what should have happened. \(Llavero.lastFailure ?? "")")
        exit(1)
    }
}

func load(expecting expected: String?) {
    let found = loaded()
    step("load", found ?? "nothing there", asExpected: found == expected)
}

// In a function: at the top level the keychain would live until the process ends, and its folder would stay.
func demonstrate() throws {
    let keychain = try IsolatedKeychain(.temporaryFolder, entitlements: Entitlements(keychainAccessGroups: ["demo"]))
    keychain.use {
        load(expecting: nil)

        let isSaved = MyKeychain.save(service, data: identifier)
        step("save \"identifier\"", isSaved ? identifier : "refused", asExpected: isSaved)
        load(expecting: identifier)

        let isDeleted = MyKeychain.delete(service)
        step("delete", isDeleted ? "done" : "refused", asExpected: isDeleted)
        load(expecting: nil)

        let isSavedAgain = MyKeychain.save(service, data: identifier)
        step("save again", isSavedAgain ? identifier : "refused", asExpected: isSavedAgain)
    }
}

try demonstrate()
