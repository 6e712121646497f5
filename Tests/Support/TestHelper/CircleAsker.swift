// SPDX-License-Identifier: Apache-2.0

import KeychainConnection
import KeychainModel
import KeychainRequest
import Security

/// Asks the keychain for what a circle's devices share, as an ordinary program does, or as one that says it is a tool.
enum CircleAsker {
    /// What became of it: how many items changed, or the status.
    static func answer(_ wish: String) -> String {
        do throws(KeychainError) {
            if wish == "claim" {
                ProcessHost.claimPasswords()
                return "0"
            }
            let session = try ProcessHost.host().session()
            switch wish {
            case "begin": _ = try session.perform(.sync(.begin(state: [1], base: [])))
            case "end": _ = try session.perform(.sync(.end))
            case "attest":
                // All three are refused for one reason.
                let tasks: [UseKeyRequest.Task] = [.endorsementKey(isRSA: false), .certify([1]), .activate([1])]
                return Set(tasks.map { use($0, session) }).sorted().joined(separator: ",")
            case "item":
                guard case .sync(.state(let state?)) = try session.perform(.sync(.state())) else { return "none" }
                var batch = SyncBatch(version: state.version)
                batch.incoming = [SyncIncoming(view: view, leaf: leaf, content: .item(item))]
                guard case .sync(.applied(let outcomes, _)) = try session.perform(.sync(.apply(batch))) else {
                    return "strange"
                }
                return outcomes.map { "\($0)" }.joined(separator: ",")
            default:
                guard case .sync(.changes(let changes, _)) = try session.perform(.sync(.changes(behind: 0, limit: 9)))
                else { return "strange" }
                return "\(changes.count)"
            }
            return "0"
        } catch { return "\(error.reason)" }
    }

    private static func use(_ task: UseKeyRequest.Task, _ session: any KeychainSession) -> String {
        let key = LooseEnclaveKey(publicKey: [4] + [UInt8](repeating: 1, count: 64), blob: [1])
        do {
            _ = try session.useKey(UseKeyRequest(key: .loose(key), task: task))
            return "0"
        } catch { return "\(error.reason)" }
    }

    private static let view = someView()
    private static func someView() -> SyncView { SyncView([UInt8](repeating: 7, count: 16)) ?? someView() }
    private static let leaf = SyncLeaf(id: someRecord(), head: 1, digest: [UInt8](repeating: 1, count: 32))
    private static func someRecord() -> SyncRecordID {
        SyncRecordID([UInt8](repeating: 9, count: 16)) ?? someRecord()
    }

    private static var item: SyncItem {
        var attributes = AttributeList()
        attributes[.account] = .string("shared")
        attributes[.service] = .string("asked")
        attributes[.accessGroup] = .string("llavero.open")
        attributes[.accessible] = .string("ck")
        attributes[.synchronizable] = .number(1)
        attributes[.creationDate] = .date(1000)
        attributes[.modificationDate] = .date(1000)
        return SyncItem(
            itemClass: .genericPassword, attributes: attributes,
            secret: SecretValue(copying: Array("value of shared".utf8)))
    }
}
