// SPDX-License-Identifier: Apache-2.0

import Foundation
import Security
import Testing

/// The whole of semantics §5: seven classes in four states, and everything a program can do.
@Suite struct MatrixTests {
    /// Which program asks.
    enum Asker: String, Sendable, CaseIterable, CustomTestStringConvertible {
        case same = "the program that stored the items"
        case reopened = "the same after it let go of everything"
        case another = "another after a restart"

        var testDescription: String { rawValue }
    }

    struct Cell: Sendable, CustomTestStringConvertible {
        let ground: Ground
        let state: DeviceState
        let asker: Asker
        var testDescription: String { "\(ground.rawValue), \(state.rawValue), \(asker.rawValue)" }
    }

    private static let cells = Ground.all.flatMap { ground in
        DeviceState.allCases.flatMap { state in
            Asker.allCases.filter { ground != .memory || $0 != .another }.map {
                Cell(ground: ground, state: state, asker: $0)
            }
        }
    }

    @Test("every operation on every class answers as the two tables say, and does what it answered", arguments: cells)
    func matrix(cell: Cell) throws {
        let scene = try Scene(cell.ground)
        if cell.state != .noPasscode { try scene.program.setPasscode(try Passcodes.first()) }
        var items: [Protection: MatrixItems] = [:]
        for protection in Protection.allCases {
            var those = MatrixItems(protection)
            let canBe = MatrixTable.availability(of: protection, cell.state) != .none
            #expect(those.store(with: scene.program) == [canBe ? errSecSuccess : errSecAuthFailed])
            items[protection] = those
        }
        let program = try asker(cell.asker, in: scene)
        try cell.state.enter(program)
        var answers: [(Protection, Operation, OSStatus)] = []
        for protection in Protection.allCases {
            let availability = MatrixTable.availability(of: protection, cell.state)
            for operation in Operation.allCases where operation.isPossible(for: protection) {
                let status = items[protection]?.status(of: operation, by: program) ?? errSecInternalError
                #expect(status == MatrixTable.status(of: operation, availability), "\(protection) \(operation)")
                answers.append((protection, operation, status))
            }
        }
        if cell.state != .noPasscode { try program.unlock(try Passcodes.first()) }
        for (protection, operation, status) in answers {
            guard MatrixTable.availability(of: protection, cell.state) != .none,
                let trace = items[protection]?.trace(of: operation, with: program)
            else { continue }
            #expect(trace == (status == errSecSuccess), "\(protection) \(operation)")
        }
        #expect(try program.check() == [])
    }

    private func asker(_ asker: Asker, in scene: Scene) throws -> Program {
        switch asker {
        case .same: return scene.program
        case .reopened:
            scene.program.reopen()
            return scene.program
        case .another: return try scene.restarted()
        }
    }

    @Test(
        "a query that matches locked and unlocked rows fails as a whole, whatever it wants and in whatever order",
        arguments: Ground.all)
    func mixed(ground: Ground) throws {
        let scene = try Scene(ground)
        try scene.program.setPasscode(try Passcodes.first())
        for item in TestItem.each("mixed") { #expect(scene.program.add(item) == errSecSuccess) }
        try scene.program.lock()
        let all: [String: Any] = [
            kSecClass as String: kSecClassGenericPassword, kSecMatchLimit as String: kSecMatchLimitAll,
        ]
        for wish in [kSecReturnData, kSecReturnAttributes, kSecReturnPersistentRef] {
            #expect(scene.program.find(all, wish).status == errSecInteractionNotAllowed)
        }
        #expect(scene.program.find(all).status == errSecInteractionNotAllowed)
        let open = all.merging([kSecAttrAccessible as String: kSecAttrAccessibleAfterFirstUnlock]) { $1 }
        #expect(scene.program.find(open, kSecReturnAttributes).status == errSecSuccess)
        #expect(
            scene.program.keychain.use {
                SecItemUpdate(all as CFDictionary, [kSecAttrLabel as String: "all"] as CFDictionary)
            } != errSecSuccess)
        try scene.program.unlock(try Passcodes.first())
        let found = scene.program.find(all, kSecReturnAttributes).result as? [NSDictionary] ?? []
        #expect(found.count == 7 && found.allSatisfy { $0[kSecAttrLabel as String] as? String != "all" })
    }
}
