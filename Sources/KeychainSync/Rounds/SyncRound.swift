// SPDX-License-Identifier: Apache-2.0

package import KeychainModel
package import KeychainRequest

/// One round of synchronisation, as a machine: each step takes what the last effect gave, and names the next effect.
///
/// A round reads the log, then what is new in each view that this device reads, then sends what changed here, and says
/// every six hours what it has seen. It performs nothing itself and knows no clock but the one that steps bring. One effect
/// is outstanding at a time; a round that is dropped between two steps has lost nothing, for what it knows is written with
/// the items that it is about.
package final class SyncRound {
    package enum Effect: Sendable {
        case server(CircleRequest)
        /// A question that will come soon, if nothing comes between: who can ask it already, may, and goes on at once.
        case soon(CircleRequest)
        case keychain(SyncRequest)
        /// Keys that came, to be kept before anything is read with them, or that were made here; each in place of one that is there.
        case keep([ViewKey])
        /// Keys of a history that this device leaves, to be forgotten before it takes another.
        case forget([ViewKey])
        /// A copy of the keychain as it is, before many items go.
        case snapshot
        case pause(milliseconds: Int)
        case finished(RoundReport)
    }

    package enum Event: Sendable {
        case begin
        case server(Result<CircleReply, CircleServerError>)
        case keychain(Result<SyncReply, KeychainError>)
        /// Keys are kept, the snapshot is made, the pause is over, the question is noted.
        case done
    }

    /// What a round is for, besides receiving and sending.
    package enum Task: Sendable {
        case synchronize
        /// What `synchronize` does, but for sending: for those who only want to know.
        case look
        /// Gives a server that lost something what this device has.
        case heal
        /// The same, and where this device cannot read what was lost, records that say nothing: what a person decides, for no other
        /// device gives it back after that.
        case healWithoutUnreadable
        /// Takes the server's history of a view that has an alarm, and merges what is here into it.
        case follow(SyncView)
        /// Compares the server's log with this device's, and says in the report what taking it would cost; with an entry, which is the
        /// one that a person has agreed to, takes it.
        case followLog(LogPlace?)
        /// Goes on from this device's tip past an entry that follows no history, for all members: what an owner decides.
        case passOver(UInt64)
        /// Writes entries into the log; what ends a right to write or read comes with new keys and a barrier in each view.
        case change([LogAction])
        /// Signs what another owner proposed, and writes it into the log where that is enough.
        case sign([UInt8])
        /// Lists the items whose secrets a device that was removed could read.
        case listToRotate(DeviceID)
    }

    package struct Settings: Sendable {
        package var task = Task.synchronize
        /// What is done before a pull deletes more than fifty items and more than a fifth of all.
        package var manyDeletions = ManyDeletions.wait
        /// Where this machine is, so that two machines with one device's keys are told apart: 16 bytes of a hash.
        package var place: [UInt8] = []
        /// The trees of an earlier round of the same process.
        package var trees: [SyncView: StateTree] = [:]
        /// Words that stay a member although the owner who made them one is removed.
        package var keptWords: Set<DeviceID> = []
        /// The state as it was read last.
        package var read: ReadState?
        /// The entry of a move that led to this server: here the round goes on.
        package var arrivedAt: UInt64?

        package init() {}
    }

    package enum ManyDeletions: Sendable {
        case wait, snapshot
    }

    /// Records that came or went, of all that come or go in this round.
    package enum Progress: Sendable, Equatable {
        case receiving(Int, of: Int)
        case sending(Int)
    }

    private let context: RoundContext
    private var hasBegun = false

    /// `keys` are all that the keychain keeps; those count that the log has commitments to.
    package init(
        of device: any CircleDevice, _ keys: ViewKeyring, options: Settings = Settings(),
        randomness: @escaping (Int) throws(CircleError) -> [UInt8]
    ) throws(CircleError) {
        context = RoundContext(
            device: device, own: try device.card.id(), keys, options: options, randomness: randomness)
        context.begin = { [unowned context] () throws(CircleError) in try SyncRound.begin(context) }
    }

    // What waits for an effect holds the context, which holds it.
    deinit { context.forget() }

    /// The trees as they are after a round, for the next.
    package var trees: [SyncView: StateTree] { context.trees }
    /// How far a large transfer is; nil while there is none.
    package var progress: Progress? { context.progress }
    /// The state as the keychain has it after a round, for the next.
    package var read: ReadState? { context.read }
    /// The keys as they are after a round.
    package var keys: ViewKeyring { context.keys }

    /// Takes an event at a time (seconds since 2001), and says what is to be done now.
    ///
    /// Throws where this device itself cannot go on: its keys are locked or its memory is full. The round is over then.
    package func step(_ event: Event, at now: Double) throws(CircleError) -> Effect {
        context.now = now
        guard case .begin = event else { return try context.resume(event) }
        guard !hasBegun else { throw .malformed }
        hasBegun = true
        return try context.begin()
    }

    /// The parts of a round, one after the other.
    private static func begin(_ context: RoundContext) throws(CircleError) -> Effect {
        context.keychain(.state(knowing: context.read?.baseName)) { [unowned context] reply throws(CircleError) in
            guard case .state(let stored) = reply else { return context.unexpectedFromKeychain() }
            guard let stored else { return context.finished(.notInCircle) }
            try context.take(stored)
            if case .followLog(let agreed) = context.goal { return try LogFollowing(context, agreed).start() }
            return try LogPull(context).start { () throws(CircleError) in try context.afterLog() }
        }
    }
}
