// SPDX-License-Identifier: Apache-2.0

internal import KeychainCircle
internal import KeychainConnection
internal import KeychainCrypto
internal import KeychainExchange
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSync
internal import KeychainSystem
internal import KeychainTools

/// `llavero circle tpm`, `allow`, and `join --tpm`.
enum CircleChips {
    /// Prints what an owner allows this machine by.
    static func tpm(_ options: Options) throws(CommandError) {
        let area: [UInt8]
        do throws(KeychainError) { area = try MachineChip.endorsementKey(isRSA: options.has("--rsa")) } catch {
            throw .failure(error.description)
        }
        let hash = try CircleTool.making { () throws(CircleError) in try EndorsementKey(publicArea: area).hash() }
        print(Hexadecimal.digits(of: hash))
    }

    // MARK: The owner

    static func allow(_ word: String, _ options: Options) throws(CommandError) {
        let chips = try chips(word, named: options.value("--name"))
        let tool = try CircleTool(options)
        try tool.round()
        let circle = try tool.local()
        let roles = try CircleJoining.roles(options, circle)
        let allowances = try CircleTool.making { () throws(CircleError) in
            var allowances: [Allowance] = []
            for chip in chips {
                allowances.append(
                    Allowance(
                        endorsementKey: chip.hash, roles: roles,
                        sealedName: try circle.keys.seal(Array(chip.name.utf8), of: .invite([]))))
            }
            return allowances
        }
        var actions: [LogAction] = []
        for start in stride(from: 0, to: allowances.count, by: mostOfOneEntry) {
            actions.append(.allow(Array(allowances[start...].prefix(mostOfOneEntry))))
        }
        // Where more owners have to sign it, it holds from then on.
        let waiting = try tool.change(actions)
        let log = try tool.local().state.log
        Tool.say(
            "\(CircleReports.count(chips.count, "TPM")) allowed, once each; such a machine runs `llavero circle join --tpm --server ADDRESS --circle` and this:"
        )
        print(CirclePlaceText.text(log.circle, log.tip))
        if let waiting { throw .failure(waiting) }
    }

    /// What people call one TPM, and the hash of its endorsement key.
    private typealias Named = (hash: [UInt8], name: String)

    /// A hash, a key in a file, or a list of hashes in one, each with a name behind it.
    private static func chips(_ word: String, named name: String?) throws(CommandError) -> [Named] {
        let name = try CircleNames.checked(name ?? "a machine")
        if let hash = hash(word) { return [(hash, name)] }
        let file = try OpenFile(word)
        let bytes = try file.bytes(limit: largestFile)
        if let key = key(bytes) {
            return [(try CircleTool.making { () throws(CircleError) in try key.hash() }, name)]
        }
        guard let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix("-----BEGIN") else {
            throw none(word)
        }
        var chips: [Named] = []
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            guard let hash = hash(first) else { throw none(word) }
            guard !chips.contains(where: { $0.hash == hash }) else {
                throw .failure("\(PlainText.shown(word)) names \(PlainText.shown(String(first))) twice")
            }
            chips.append((hash, words.count > 1 ? try CircleNames.checked(String(words[1])) : name))
        }
        guard !chips.isEmpty else { throw none(word) }
        return chips
    }

    private static func hash(_ text: some StringProtocol) -> [UInt8]? {
        guard let bytes = Hexadecimal.bytes(of: text), bytes.count == Digest.sha256Size else { return nil }
        return bytes
    }

    /// An endorsement key as tpm2-tools (TPM2B_PUBLIC) and clouds (TPMT_PUBLIC, a public key in DER or PEM) hand it on.
    private static func key(_ bytes: [UInt8]) -> EndorsementKey? {
        if bytes.count > 2, Int(bytes[0]) << 8 | Int(bytes[1]) == bytes.count - 2 {
            return try? EndorsementKey(publicArea: Array(bytes.dropFirst(2)))
        }
        if let key = try? EndorsementKey(publicArea: bytes) { return key }
        if let key = try? EndorsementKey(publicKey: bytes) { return key }
        let blocks = try? unsafe bytes.withUnsafeBytes { (text) throws(ExchangeError) in
            try unsafe PEM.blocks(in: text)
        }
        guard let block = blocks?.first, blocks?.count == 1, block.label == "PUBLIC KEY" else { return nil }
        return try? EndorsementKey(publicKey: unsafe block.content.withUnsafeBytes { unsafe Array($0) })
    }

    private static func none(_ word: String) -> CommandError {
        .failure(
            "\(PlainText.shown(word)) has no endorsement key: it takes what `llavero circle tpm` prints there, a file with one such line for each machine and its name behind it, or the public key (RSA of 2048 bits, or P-256) in PEM, in DER, or as tpm2_createek writes it"
        )
    }

    private static let largestFile = 4 << 20
    private static let mostOfOneEntry = 64

    // MARK: The machine that joins

    /// Begins: the request is made, and kept until the machine is a member.
    static func join(_ text: String, _ options: Options, _ tool: CircleTool) throws(CommandError) -> Joined {
        guard let (circle, tip) = CirclePlaceText.read(text) else {
            throw .usage(
                "circle join --tpm takes with --circle what `llavero circle allow` printed: the circle, and an entry of it"
            )
        }
        guard try tool.keychain.state().enclave.kind == .tpm else {
            throw .failure(
                "this keychain's keys are in a file, and a machine joins by its TPM with keys that are in it: make a keychain with `llavero keychains create NAME --enclave tpm`, and name it with --keychain"
            )
        }
        let device = try tool.device()
        guard device.card.kind == .tpm else {
            throw .failure(
                "this keychain's keys for circles were made before it was in the TPM; `llavero circle leave` forgets them"
            )
        }
        try tool.doing { () throws(CircleFailure) in
            try CircleKnock.begin(to: circle, as: device, isRSA: options.has("--rsa"), in: tool.session)
        }
        return Joined(circle: circle, tip: tip)
    }
}

/// A circle and an entry of its log as text: what a machine has to know of its circle before it joins.
enum CirclePlaceText {
    static func text(_ circle: CircleID, _ place: LogPlace) -> String {
        "\(Hexadecimal.digits(of: circle.bytes)):\(place.number):\(Hexadecimal.digits(of: place.hash))"
    }

    static func read(_ text: String) -> (CircleID, LogPlace)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let circle = Hexadecimal.bytes(of: parts[0]).flatMap({ CircleID($0) }),
            let number = UInt64(parts[1]), number > 0, let hash = Hexadecimal.bytes(of: parts[2]),
            hash.count == Digest.sha256Size
        else { return nil }
        return (circle, LogPlace(number: number, hash: hash))
    }
}
