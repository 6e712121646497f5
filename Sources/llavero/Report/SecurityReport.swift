// SPDX-License-Identifier: Apache-2.0

internal import KeychainCertificates
internal import KeychainConnection
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem
internal import KeychainTools

/// What there is to say of a person's items: weak, reused and old passwords, those that stand in files, what expires, and what
/// nothing protects.
///
/// Secrets are read part by part and judged at once; of each a grade is kept and, until all are read, a keyed hash. The report
/// has neither secrets nor their length nor why one is weak: that alone would help who guesses.
struct SecurityReport {
    /// When something counts.
    struct Limits {
        /// Seconds that a password may stay as it is.
        let old: Double
        /// Seconds before an end at which it is told of.
        let soon: Double
    }

    /// An item, without its secret and what it is called by.
    struct Subject {
        let item: ToolItem
        /// nil for what is no password, was not read, is empty, or is a negative item.
        fileprivate(set) var grade: PasswordStrength.Grade?

        var changed: Double? { if case .date(let date)? = item.attributes[.modificationDate] { date } else { nil } }
    }

    enum Kind: String, CaseIterable {
        case weak, reused, exposed, expires, certificate, unprotected, old
        case notRead = "not-read"
    }

    /// What is wrong with an item.
    struct Concern {
        let kind: Kind
        let subject: Int
        let detail: String
    }

    /// How a keychain is protected as a whole.
    struct Protection {
        let name: String
        let hasPasscode: Bool
        let text: String
        let fix: String?
    }

    let made: Double
    let limits: Limits
    private(set) var subjects: [Subject] = []
    private(set) var findings: [Concern] = []
    private(set) var protections: [Protection] = []
    private(set) var reuseGroups = 0
    private(set) var examinedFiles = 0
    private(set) var unreadFiles = 0
    private(set) var certificates: [(subject: Int, end: Double)] = []
    /// What could not be examined for damage.
    private(set) var damage = MetDamage()

    /// Reads all items of the scope; those that demand a person are counted, and nobody is asked.
    init(
        of keychains: [ToolKeychain], _ scopes: [ItemScope], _ limits: Limits, at made: Double
    ) throws(CommandError) {
        (self.made, self.limits) = (made, limits)
        let exposure = SecretExposure()
        (examinedFiles, unreadFiles) = (exposure.examined, exposure.unread)
        var reuse = try SecretReuse()
        var places: [ToolItem.Key: Int] = [:]
        for scope in scopes {
            try scope.forEachPart(in: keychains) { (part) throws(CommandError) in
                damage.take(part.damage)
                for item in part.items
                where item.group != AccessGroup.sync.name && !item.isFurther && !item.isGap {
                    if item.persistentID != nil { places[item.key] = subjects.count }
                    subjects.append(Subject(item: item))
                }
            }
        }
        var read: Set<Int> = []
        for keychain in keychains {
            protections.append(try SecurityReport.protection(of: keychain))
            for scope in scopes {
                for itemClass in scope.classes where itemClass != .key {
                    let pages = scope.pages(itemClass, in: keychain)
                    while let part = try pages.next() {
                        for case .item(let found) in part {
                            let key = ToolItem.Key(itemClass: itemClass, place: keychain.place, id: found.persistentID)
                            guard let secret = found.secret, let subject = places[key] else { continue }
                            read.insert(subject)
                            try judge(secret, subject, &reuse, exposure)
                        }
                    }
                }
            }
        }
        for group in reuse.groups { tell(ofReuse: group) }
        for index in subjects.indices { judge(index, isRead: read.contains(index)) }
        let order = Dictionary(uniqueKeysWithValues: Kind.allCases.enumerated().map { ($1, $0) })
        findings.sort { (order[$0.kind] ?? 0, $0.subject) < (order[$1.kind] ?? 0, $1.subject) }
        certificates.sort { $0.end < $1.end }
    }

    func count(_ kind: Kind) -> Int { Set(findings.lazy.filter { $0.kind == kind }.map(\.subject)).count }
    func count(grade: PasswordStrength.Grade) -> Int { subjects.count { $0.grade == grade } }
    var passwords: Int { subjects.count { $0.item.itemClass.isPassword } }
    var judged: Int { subjects.count { $0.grade != nil } }
}

/// The judgement of one item.
extension SecurityReport {
    private mutating func judge(
        _ secret: SecretValue, _ subject: Int, _ reuse: inout SecretReuse, _ exposure: SecretExposure
    ) throws(CommandError) {
        let item = subjects[subject].item
        if item.itemClass == .certificate { return judge(certificate: secret, subject) }
        // An entry without a password, or with a code or a file alone, has none that could be weak.
        if item.isNegative || secret.count == 0 { return }
        let known = [item.name, item.account, item.place]
        let grade = unsafe secret.withUnsafeBytes { unsafe PasswordStrength(of: $0, besides: known).grade }
        subjects[subject].grade = grade
        if grade <= .weak { tell(.weak, subject, SecurityReport.word(for: grade)) }
        try reuse.add(secret, of: subject)
        for place in exposure.places(of: secret, user: item.account) {
            tell(.exposed, subject, "\(place.path), line \(place.line)")
        }
    }

    private mutating func judge(certificate: SecretValue, _ subject: Int) {
        let der = unsafe certificate.withUnsafeBytes { unsafe Array($0) }
        guard let read = Certificate(uncheckedRow: der) else { return }
        certificates.append((subject, read.notAfter))
        if read.notAfter < made + limits.soon { tell(.certificate, subject, end(read.notAfter)) }
    }

    /// What is stored twice for the same account of the same place is one password.
    private mutating func tell(ofReuse group: [Int]) {
        let accounts = Set(
            group.map { subject in
                let item = subjects[subject].item
                let place = item.itemClass == .internetPassword ? item.text(.server) : item.place
                return "\(place)\0\(item.account)"
            })
        guard accounts.count > 1 else { return }
        reuseGroups += 1
        for subject in group { tell(.reused, subject, "group \(reuseGroups), \(group.count) items") }
    }

    private mutating func judge(_ subject: Int, isRead: Bool) {
        let item = subjects[subject].item
        guard item.damage == nil, let control = item.accessControl else {
            return tell(.notRead, subject, "damaged; `llavero check` shows details")
        }
        if !isRead, item.itemClass != .key, !item.isNegative {
            tell(.notRead, subject, "demands \(AccessWords.access(control, to: item.itemClass))")
        }
        if item.itemClass.isPassword, !item.isNegative, let changed = subjects[subject].changed,
            changed < made - limits.old
        {
            tell(.old, subject, "last changed \(SecurityReport.day(changed))")
        }
        if let end = item.properties.expires, end < made + limits.soon { tell(.expires, subject, self.end(end)) }
        guard item.itemClass != .certificate, !control.isConstrained else { return }
        if control.protection.isAlwaysAvailable {
            tell(.unprotected, subject, "opens before the passcode is given")
        } else if item.group == AccessGroup.open.name {
            tell(.unprotected, subject, "any of your programs may read it")
        }
    }

    private mutating func tell(_ kind: Kind, _ subject: Int, _ detail: String) {
        findings.append(Concern(kind: kind, subject: subject, detail: detail))
    }

    private static func protection(of keychain: ToolKeychain) throws(CommandError) -> Protection {
        let state = try keychain.state()
        let hasPasscode = state.lockState != .noPasscode
        let isInChip = state.enclave.kind == .tpm
        let (text, fix) =
            hasPasscode
            ? ("has a passcode" + (isInChip ? ", and its key is in the TPM" : ""), nil) : keychain.exposure(state)
        return Protection(
            name: KeychainNames.name(of: keychain.place), hasPasscode: hasPasscode, text: text, fix: fix)
    }

    private func end(_ date: Double) -> String {
        (date < made ? "expired " : "expires ") + SecurityReport.day(date)
    }

    static func word(for grade: PasswordStrength.Grade) -> String {
        switch grade {
        case .veryWeak: "very weak"
        case .weak: "weak"
        case .fair: "fair"
        case .strong: "strong"
        }
    }

    /// Such as 2026-11-24, in UTC.
    static func day(_ date: Double) -> String { String(AttributeText.date(date).prefix(10)) }
}

extension ItemScope {
    /// What a report is about: where only a person's passwords are asked for, also all certificates, which programs keep.
    var ofReport: [ItemScope] {
        guard owners == .person, user == nil, classes.contains(.certificate) else { return [self] }
        return [narrowed(to: classes.filter { $0 != .certificate }), ItemScope.certificates]
    }

    /// The same items with their secrets, but for those that demand a person's authentication.
    func pages(_ itemClass: ItemClass, in keychain: ToolKeychain) -> ItemPages {
        let predicate = ItemPredicate(
            queriedClass: .stored(itemClass), attributes: AttributeList(), groups: group, synchronizable: .any,
            tombstones: false, accessibility: nil, restriction: .none, filters: [])
        return ItemPages(predicate, returning: [.data], in: keychain, of: owners, skipsGuarded: true)
    }
}
