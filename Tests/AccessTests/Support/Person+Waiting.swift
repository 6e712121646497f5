// SPDX-License-Identifier: Apache-2.0

extension Person {
    /// Returns when they have been asked so often.
    func asked(_ count: Int) async {
        await becomes { $0.asked.count >= count }
    }

    /// Returns when so many questions were taken back.
    func relieved(_ count: Int) async {
        await becomes { $0.relieved >= count }
    }

    /// Returns when somebody looked so often what is enrolled.
    func looked(_ count: Int) async {
        await becomes { $0.looks >= count }
    }
}

extension Person.Asked {
    /// What was asked for.
    var kind: String {
        switch self {
        case .passcode: "passcode"
        case .password: "password"
        case .finger: "finger"
        }
    }

    /// What was wrong with the answer before.
    var complaint: String? {
        switch self {
        case .passcode(_, let complaint), .password(_, let complaint, _): complaint
        case .finger: nil
        }
    }
}
