// SPDX-License-Identifier: Apache-2.0

internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// `security find-key`.
enum FindKey: SecurityVerb {
    static let name = "find-key"
    static let summary = "finds keys"
    static let usage = """
        [OPTION…] [KEYCHAIN…]

        Prints the keys that fit all options, never their key data. Without KEYCHAIN the keychains of the search list are
        searched.

          -l LABEL     the label
          -a LABEL     the application label: the hash of the public key, in hexadecimal digits
          -c CODE      the creator, four letters
          -t KIND      public, private or symmetric
          -d -e -r -s -u -v -w   keys that can decrypt, encrypt, derive, sign, unwrap, verify, wrap
          -D -E -R -S -U -V -W   keys that cannot
          -j COMMENT   not supported: keys have no comment here
        """

    static func run(_ words: ArraySlice<String>, _ session: Session) throws(SecurityFailure) {
        let options = try SecurityOptions(words, SecurityOptions.Allowed(letters: KeySearch.letters + "DERSUVW"))
        let attributes = try KeySearch.attributes(options)
        var locked = LockedKeychains()
        let keys = try locked.passing(try KeychainSearch.searched(options.operands, session)) {
            (keychain) throws(SecurityFailure) in
            try KeySearch.all(attributes, in: [keychain])
        }
        guard !keys.isEmpty else { throw locked.failure ?? .notFound(KeySearch.call) }
        locked.tell(session)
        for key in keys { print(ItemText.text(key.item, in: key.keychain.path)) }
    }
}

/// Keys by their names and uses.
enum KeySearch {
    static let letters = "l:a:c:t:j:dersuvw"
    /// The one that a Mac's message names where there is no such key.
    static let call = "SecItemCopyMatching"

    static func attributes(_ options: SecurityOptions) throws(SecurityFailure) -> AttributeList {
        var list = AttributeList()
        if let label = options.value("l") { list[.label] = .string(label) }
        if let digits = options.value("a") {
            guard let bytes = Hexadecimal.bytes(of: digits) else { throw .usage("-a requires hexadecimal digits") }
            list[.applicationLabel] = .data(bytes)
        }
        if let code = options.value("c") { list[.creator] = .number(Int64(try FourLetters.number(code, of: "-c"))) }
        if options.value("j") != nil { throw .usage("-j is not supported: keys have no comment here") }
        switch options.value("t") {
        case nil: break
        case "public": list[.keyClass] = .number(0)
        case "private": list[.keyClass] = .number(1)
        case "symmetric": list[.keyClass] = .number(2)
        default: throw .usage("-t requires public, private or symmetric")
        }
        for (letter, attribute) in uses {
            let refused = letter.uppercased()
            guard !options.has(letter) || !options.has(refused) else {
                throw .usage("-\(letter) and -\(refused) cannot be used together")
            }
            if options.has(letter) { list[attribute] = .number(1) }
            if options.has(refused) { list[attribute] = .number(0) }
        }
        return list
    }

    static func all(
        _ attributes: AttributeList, in keychains: [ToolKeychain]
    ) throws(SecurityFailure) -> [PlacedItem] {
        let request = MatchRequest(
            predicate: .all(of: .stored(.key), attributes), returning: .attributes, limit: .all)
        var keys: [PlacedItem] = []
        for keychain in keychains {
            let found = try Unlocking.retrying(keychain, SecurityFailure.CallName.search) { () throws(CommandError) in
                try keychain.match(request, of: .programs)
            }
            for case .item(let item) in found { keys.append(PlacedItem(item: item, keychain: keychain)) }
        }
        return keys
    }

    private static let uses: [(String, Attribute)] = [
        ("d", .canDecrypt), ("e", .canEncrypt), ("r", .canDerive), ("s", .canSign), ("u", .canUnwrap),
        ("v", .canVerify), ("w", .canWrap),
    ]
}
