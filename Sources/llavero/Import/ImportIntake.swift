// SPDX-License-Identifier: Apache-2.0

internal import KeychainImports
internal import KeychainModel
internal import KeychainRequest
internal import KeychainTools

/// What becomes of each item that another store has.
struct ImportIntake {
    private(set) var listing = Listing([
        .init("RESULT", "result"), .init("NAME", "name"), .init("USER", "user"), .init("WHERE", "where"),
        .init("REMARK", "remark"),
    ])
    private(set) var kept = 0
    private(set) var here = 0
    private(set) var leftOut = 0
    /// How many of those that were left out somebody may miss.
    private(set) var missing = 0
    private let keychain: ToolKeychain
    private let isDry: Bool
    /// What a dry run would have kept by now.
    private var coming: [[UInt8]: Arrival] = [:]

    init(_ keychain: ToolKeychain, isDry: Bool) {
        self.keychain = keychain
        self.isDry = isDry
    }

    /// The password, and what its source keeps as secret beside it: notes, seeds of one-time codes.
    mutating func take(_ item: ImportedItem) {
        for arrival in Arrival.all(of: item) { keep(arrival) }
    }

    /// An item of an export of our own, of any kind.
    mutating func take(_ item: ExportedItem) { keep(Arrival(item)) }

    private mutating func keep(_ arrival: Arrival) {
        var (result, remark) = (isDry ? "new" : "kept", "")
        do throws(CommandError) {
            switch try standing(of: arrival) {
            case .same:
                here += 1
                (result, remark) = ("here already", "what is here stays as it is")
            case .otherSecret:
                leftOut += 1
                missing += 1
                (result, remark) = ("left out", "it is here already with another password, which stays as it is")
            case .absent:
                if !isDry { remark = try arrival.add(to: keychain) }
                kept += 1
            }
        } catch {
            leftOut += 1
            missing += 1
            (result, remark) = ("left out", error.description)
        }
        listing.rows.append([
            .text(result), .text(arrival.name), .text(arrival.account), .text("\(arrival.source)"), .text(remark),
        ])
    }

    mutating func note(_ finding: ImportFinding) {
        let (result, remark): (String, String)
        switch finding.matter {
        case .skipped(let reason):
            (result, remark) = ("left out", "\(reason)")
            leftOut += 1
            if reason.isLoss { missing += 1 }
        case .repaired(let repair): (result, remark) = ("repaired", "\(repair)")
        }
        listing.rows.append([
            .text(result), .text(finding.label), .text(""), .text("\(finding.location)"), .text(remark),
        ])
    }

    /// In a dry run, also whether it would be by now.
    private mutating func standing(of arrival: Arrival) throws(CommandError) -> Arrival.Standing {
        let standing = try arrival.standing(in: keychain)
        guard isDry, standing == .absent else { return standing }
        if let first = coming[arrival.identity] { return arrival.hasSameSecret(as: first) ? .same : .otherSecret }
        coming[arrival.identity] = arrival
        return .absent
    }
}
