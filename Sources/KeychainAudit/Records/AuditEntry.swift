// SPDX-License-Identifier: Apache-2.0

package import KeychainIdentity
package import KeychainModel

/// Who did what to which items, and what became of it.
///
/// There is no room in it for a value, an account, a service, or any other attribute but the group.
package struct AuditEntry: Sendable, Equatable {
    /// nil for what the daemon did on its own.
    package var program: AuditedProgram?
    package var operation: AuditOperation
    /// The class that was asked for, where one was.
    package var queriedClass: QueriedClass?
    /// The groups that were asked for.
    package var groups: AuditedGroup
    package var outcome: AuditOutcome
    /// The items as far as they are known; of what was written without a reply they are those that the program named.
    package var items: [AuditedItem]
    /// How many items it was about; nil when that is not known.
    package var count: Int64?

    package init(
        _ operation: AuditOperation, by program: AuditedProgram?, on queriedClass: QueriedClass? = nil,
        in groups: AuditedGroup = .unknown, outcome: AuditOutcome = .done, items: [AuditedItem] = [],
        count: Int64? = nil
    ) {
        self.operation = operation
        self.program = program
        self.queriedClass = queriedClass
        self.groups = groups
        self.outcome = outcome
        self.items = items
        self.count = count
    }
}

/// What a program did, or tried to do; the numbers are those of the file.
package enum AuditOperation: Int64, Sendable, CaseIterable {
    case add = 1
    /// Found items, without their secrets.
    case find = 2
    /// Found items together with their secrets.
    case findSecrets = 3
    case update = 4
    case delete = 5
    case generateKey = 6
    case sign = 7
    case encrypt = 8
    case decrypt = 9
    case exchange = 10
    /// Took a sensitive key out, under a password.
    case release = 11

    /// Had a person show something, or showed something in a person's place.
    case authenticate = 20
    case giveCredential = 21

    case admit = 30
    /// Came, and was not served.
    case refuse = 31

    case lock = 40
    case unlock = 41
    case setPasscode = 42
    case changePasscode = 43
    case removePasscode = 44
    case rotateKeys = 45
    case changeRecoveryKey = 46
    case moveEnclave = 47
    case check = 48
    /// Read the log itself.
    case readLog = 49

    /// Changed when it locks by itself.
    case changeSettings = 50
    /// Took the items that there are as those that there have to be.
    case acceptItems = 51
    /// Took what a backup is made with, and put items of one back.
    case backUp = 52
    case restore = 53
    /// Took what came from a circle's other devices; joined or left.
    case synchronize = 54
    /// Sent items to them.
    case share = 55
    /// Read that the circle admitted devices, or removed some.
    case admitDevice = 56
    case removeDevice = 57

    /// The daemon begins and ends to serve.
    case start = 60
    case stop = 61

    /// Whether it gives a secret away, uses one, or changes something: without a record of it, where one is required, it
    /// does not happen.
    package var isSensitive: Bool {
        switch self {
        case .find, .admit, .refuse, .lock, .check, .readLog, .start, .stop: false
        case .add, .findSecrets, .update, .delete, .generateKey, .sign, .encrypt, .decrypt, .exchange, .release,
            .authenticate, .giveCredential, .unlock, .setPasscode, .changePasscode, .removePasscode, .rotateKeys,
            .changeRecoveryKey, .moveEnclave, .changeSettings, .acceptItems,
            .backUp, .restore, .synchronize, .share, .admitDevice, .removeDevice:
            true
        }
    }
}

/// Who it was.
package struct AuditedProgram: Sendable, Equatable {
    package let user: UInt32
    package let process: Int32
    /// The path of the file it executed, or the unit of one in namespaces of its own; nil where nobody can tell.
    package let image: String?
    /// How well it was known; nil of one that was refused before that was found out.
    package let level: IdentityLevel?

    /// A path longer than the kernel's limit is left out.
    package init(user: UInt32, process: Int32, image: String?, level: IdentityLevel?) {
        self.user = user
        self.process = process
        self.image = image.flatMap { $0.utf8.count <= AuditedProgram.longestPath ? $0 : nil }
        self.level = level
    }

    package static func == (left: AuditedProgram, right: AuditedProgram) -> Bool {
        left.user == right.user && left.process == right.process && left.level == right.level
            && (left.image == nil) == (right.image == nil)
            && (left.image ?? "").hasSameBytes(as: right.image ?? "")
    }

    static let longestPath = 4096 + 16
}

extension IdentityLevel {
    /// The number in the file.
    var auditNumber: Int64 {
        switch self {
        case .none: 1
        case .imageByPath: 2
        case .imageByHash: 3
        case .unit: 4
        case .kernel: 5
        case .imageBySignature: 6
        case .traceableUnit: 7
        }
    }

    init?(auditNumber: Int64) {
        guard let level = IdentityLevel.allCases.first(where: { $0.auditNumber == auditNumber }) else { return nil }
        self = level
    }
}

/// One item that was touched: its class, what it is found by for ever, and its group where that is known.
package struct AuditedItem: Sendable, Equatable {
    package let itemClass: ItemClass
    package let persistentID: PersistentID
    package let group: AuditedGroup

    package init(_ itemClass: ItemClass, _ persistentID: PersistentID, group: AuditedGroup) {
        self.itemClass = itemClass
        self.persistentID = persistentID
        self.group = group
    }
}

/// What is said of an access group.
package enum AuditedGroup: Sendable, Equatable {
    case named(AccessGroup)
    /// It was not given, or names no known one.
    case unknown
    /// Every group of the program.
    case everyOfProgram
    /// A name that is longer than what is kept of one.
    case tooLong

    package init(_ group: AccessGroup) {
        self = group.name.utf8.count <= AuditedGroup.longestName ? .named(group) : .tooLong
    }

    static let longestName = 256
}

/// What became of it; `Security` has the OSStatus of each reason.
package enum AuditOutcome: Sendable, Equatable {
    case done
    case failed(KeychainError.Reason)
}

extension AuditOutcome {
    /// The number in the file; 0 for what was done.
    var number: Int64 {
        switch self {
        case .done: 0
        case .failed(let reason): reason.number
        }
    }

    init?(number: Int64) {
        if number == 0 {
            self = .done
            return
        }
        guard let reason = KeychainError.Reason.allCases.first(where: { $0.number == number }) else { return nil }
        self = .failed(reason)
    }
}
