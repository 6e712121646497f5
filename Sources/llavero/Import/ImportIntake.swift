// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// What becomes of each password that another store has.
struct ImportIntake {
    private(set) var listing = Listing([
        .init("RESULT", "result"), .init("NAME", "name"), .init("USER", "user"), .init("WHERE", "where"),
        .init("REMARK", "remark"),
    ])
    private(set) var kept = 0
    private(set) var here = 0
    private(set) var failed = 0
    private let keychain: ToolKeychain
    private let isDry: Bool
    /// What a dry run would have kept by now.
    private var names: Set<[UInt8]> = []

    init(_ keychain: ToolKeychain, isDry: Bool) {
        self.keychain = keychain
        self.isDry = isDry
    }

    /// The password, and what its source keeps as secret beside it: notes, seeds of one-time codes.
    mutating func take(_ item: ImportedItem) {
        keep(itemClass(of: item), attributes(of: item), item.secret, item.label, of: item)
        for further in item.furtherSecrets {
            let name = "\(item.label) (\(further.name))"
            var attributes = AttributeList()
            attributes[.label] = .string(name)
            attributes[.service] = .string(name)
            attributes[.account] = .string(item.account)
            keep(.genericPassword, attributes, further.value, name, of: item)
        }
    }

    private mutating func keep(
        _ itemClass: ItemClass, _ attributes: AttributeList, _ secret: ImportedBytes, _ name: String,
        of item: ImportedItem
    ) {
        var (result, remark) = (isDry ? "new" : "kept", "")
        do throws(CommandError) {
            if try isHere(itemClass, attributes) {
                here += 1
                (result, remark) = ("here", "left as it is")
            } else {
                if !isDry { try keychain.add(request(itemClass, attributes, secret), of: .person) }
                kept += 1
            }
        } catch {
            failed += 1
            (result, remark) = ("failed", error.description)
        }
        listing.rows.append([
            .text(result), .text(name), .text(item.account), .text("\(item.source)"), .text(remark),
        ])
    }

    mutating func note(_ finding: ImportFinding) {
        let (result, remark): (String, String)
        switch finding.matter {
        case .skipped(let reason):
            (result, remark) = ("left", "\(reason)")
            // What nobody wants here is no failure.
            if reason != .discarded, reason != .notAPassword, reason != .noSecret { failed += 1 }
        case .repaired(let repair): (result, remark) = ("repaired", "\(repair)")
        }
        listing.rows.append([
            .text(result), .text(finding.label), .text(""), .text("\(finding.location)"), .text(remark),
        ])
    }

    private func attributes(of item: ImportedItem) -> AttributeList {
        var attributes = AttributeList()
        attributes[.label] = .string(item.label)
        attributes[.account] = .string(item.account)
        if !item.comment.isEmpty { attributes[.comment] = .string(item.comment) }
        switch item.kind {
        case .generic(let service): attributes[.service] = .string(service)
        case .internet(let place):
            attributes[.server] = .string(place.server)
            if let code = place.protocolCode { attributes[.protocol] = .string(code) }
            attributes[.port] = .number(place.port.map { Int64($0) } ?? 0)
            attributes[.path] = .string(place.path)
        }
        return attributes
    }

    private func itemClass(of item: ImportedItem) -> ItemClass {
        if case .generic = item.kind { .genericPassword } else { .internetPassword }
    }

    private func request(
        _ itemClass: ItemClass, _ attributes: AttributeList, _ secret: ImportedBytes
    ) -> AddRequest {
        AddRequest(
            itemClass: itemClass, attributes: attributes, group: .named(AccessGroup.passwords.name),
            protection: .byClassAndGroup, isSynchronizable: false, isTombstone: false,
            secret: SecretValue(copying: secret.bytes), returning: [], origin: .caller)
    }

    /// In a dry run, also whether it would be by now.
    private mutating func isHere(_ itemClass: ItemClass, _ attributes: AttributeList) throws(CommandError) -> Bool {
        if isDry {
            let parts = ItemIdentity.parts(of: itemClass).map { part in
                AttributeText.text(.init(part.attribute, attributes[part.attribute] ?? part.absent))
            }
            let name = "\(itemClass.name)\0\(parts.joined(separator: "\0"))"
            if !names.insert(Array(name.utf8)).inserted { return true }
        }
        return try keychain.hasDuplicate(of: itemClass, attributes)
    }
}
