// SPDX-License-Identifier: Apache-2.0

import AppCore
import Bystander
import Security

// A program that runs for people keeps its keychain, whatever it is told.
do {
    try IsolatedKeychain.installForProcess()
    print("a keychain for tests was installed in a program that runs no tests")
} catch let error as LlaveroError {
    print("refused with \(error.status)")
}
print("the bystander sees Security: \(Bystander.seesSecurity)")
print("and makes of nonsense: \(Bystander.summary(of: Data("nonsense".utf8)) ?? "nothing")")
