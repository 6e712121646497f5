// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestProcesses
import TestSwtpm

/// A keychain that was made once, and is copied for every run that ends in a kill.
struct Template: Sendable {
    let state: CrashedKeychain
    /// The keychains' folder.
    let home: String
    /// The file of the TPM it was made with.
    let tpm: String?
    private let folder: TestFolder

    /// Makes a keychain by steps; what they come to is known from the same steps.
    ///
    /// Without steps there is none yet, and whoever looks for it makes it.
    init(_ words: [String], with tpm: SwtpmProcess? = nil) throws {
        let folder = try TestFolder()
        self.folder = folder
        home = try folder.makeFolder("home")
        try tpm?.becomeNew()
        let (ending, lines) = try HelperProcess.run(
            ["keybag-script", home, tpm?.connection ?? "software"] + words, environment: [:], in: folder)
        guard ending == .exited(0) else { throw Trouble("no template: \(ending) \(lines)") }
        var state = CrashedKeychain(isInTPM: words.isEmpty && tpm != nil)
        for (number, word) in words.enumerated() { state = state.after(Step(word), number: number) }
        if case .madeIn = state.paper, let line = lines.last(where: { $0.hasPrefix("paper ") }) {
            state.paper = .words(String(line.dropFirst("paper ".count)))
        }
        self.state = state
        self.tpm = try tpm.map { tpm in
            let copy = folder.file("tpm")
            try tpm.keepState(at: copy)
            return copy
        }
    }

    /// The same keychain after its device key was lost.
    init(losingTheDeviceKeyOf other: Template) throws {
        folder = try TestFolder()
        home = folder.file("home")
        tpm = other.tpm
        var state = other.state
        state.hasDevice = false
        self.state = state
        try FileManager.default.copyItem(atPath: other.home, toPath: home)
        for name in ["device.key", "device.tpm"] {
            try? FileManager.default.removeItem(atPath: "\(home)/login/\(name)")
        }
    }
}

extension SwtpmProcess {
    /// Forgets everything, and starts.
    func becomeNew() throws {
        kill()
        try? FileManager.default.removeItem(atPath: stateFile)
        try start()
    }

    /// Keeps a copy of what it remembers without power.
    func keepState(at path: String) throws {
        try stop()
        try FileManager.default.copyItem(atPath: stateFile, toPath: path)
        try start()
    }

    /// Starts again as it was when the copy was made.
    func takeState(from path: String) throws {
        kill()
        try? FileManager.default.removeItem(atPath: stateFile)
        try FileManager.default.copyItem(atPath: path, toPath: stateFile)
        try start()
    }

    /// How many NV indices there are in it that are ours, by the range of their numbers, or anybody's.
    func indexCount() throws -> Int {
        // TPM2_GetCapability(TPM_CAP_HANDLES, 0x01000000, 64)
        let answer = try command([
            0x80, 0x01, 0, 0, 0, 22, 0, 0, 0x01, 0x7a, 0, 0, 0, 1, 0x01, 0, 0, 0, 0, 0, 0, 64,
        ])
        guard answer.count >= 19, answer[6..<10].allSatisfy({ $0 == 0 }) else { throw Trouble("no capabilities") }
        return answer[15..<19].reduce(0) { $0 << 8 | Int($1) }
    }

    private var stateFile: String { folder + "/state/tpm2-00.permall" }
}
