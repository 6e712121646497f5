// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
internal import KeychainSystem
internal import Synchronization

/// On whose behalf costly work is done, and whether its result is still wanted.
package struct WorkOrder: Sendable {
    package let user: UInt32
    /// False when the program that asked is gone; called on any thread, and returns at once.
    package let isWanted: @Sendable () -> Bool
    /// The connection of a program that is another process, which closes when that is gone.
    package let connection: Int32?

    package init(user: UInt32, over connection: Int32? = nil, isWanted: @escaping @Sendable () -> Bool) {
        (self.user, self.connection) = (user, connection)
        self.isWanted = isWanted
    }

    /// Of the process itself, which has no other user and waits for the result.
    package static let own = WorkOrder(user: 0) { true }
}

/// Why work was not done, or its result is not used.
package enum WorkRefusal: Error, Sendable {
    /// As much work of this user waits as may wait.
    case tooMuchWaiting
    /// The program that asked for it is gone.
    case abandoned
}

/// Work that takes a processor, or much memory, for so long that others notice: stretching passcodes, making RSA keys.
package struct CostlyWork: Sendable {
    package let passcodes: FairQueue
    package let keys: FairQueue

    /// Of a program that works for itself: scrypt takes 133 MB, so one passcode after another; keys are as many as there are processors.
    package static let ofProcess = CostlyWork(
        passcodes: FairQueue(places: 1, ofUser: 1), keys: FairQueue(places: processors, ofUser: processors))

    /// Of a daemon: one queue for both, which leaves a processor for everything else.
    ///
    /// Where it is shared, one piece of each user's work is done at a time.
    package static func ofDaemon(isShared: Bool) -> CostlyWork {
        let places = max(1, min(2, processors / 2))
        let queue = FairQueue(
            places: places, ofUser: isShared ? 1 : places, waitingOfUser: mostWaiting, pause: refusalPause)
        return CostlyWork(passcodes: queue, keys: queue)
    }

    private static let processors = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    /// A quarter of a minute of passcodes; a longer wait is better refused.
    private static let mostWaiting = 32
    /// Milliseconds; a loop of refusals would be costly work too.
    private static let refusalPause: UInt32 = 300
}

/// A queue for costly work that is fair by user: users take turns, and each user's own work is done in the order in which it came.
///
/// Work is done on the thread that asked for it. Work that is no longer wanted is not begun.
package final class FairQueue: Sendable {
    private let state: ForkSafeMutex<FairOrder<Waiter>>
    private let pause: UInt32

    /// At most `places` pieces are done at a time, `ofUser` of one user's; at most `waitingOfUser` of one user wait, and
    /// more are refused after `pause` milliseconds.
    package init(places: Int, ofUser: Int, waitingOfUser: Int = .max, pause: UInt32 = 0) {
        self.pause = pause
        state = ForkSafeMutex(FairOrder(places: places, ofUser: ofUser, waitingOfUser: waitingOfUser))
    }

    /// Does `body` when it is the user's turn; throws what `refused` makes of a refusal when it is not done, or when no thread
    /// waits for its result any more.
    package func perform<Result, Failure: Error>(
        _ order: WorkOrder, refused: (WorkRefusal) -> Failure, _ body: (WorkTurn) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let turn = WorkTurn(order, self)
        do throws(WorkRefusal) { try enter(order) } catch { throw refused(error) }
        defer { if turn.isHeld { leave(order.user) } }
        let slice = llv_set_time_slice(UInt64(LLV_LONG_SLICE))
        defer { llv_set_time_slice(slice) }
        let result = try body(turn)
        guard turn.isHeld, order.isWanted() else { throw refused(.abandoned) }
        return result
    }

    /// How many pieces wait, of all users together.
    package var waiting: Int { state.withLock { $0.waiting } }

    private func enter(_ order: WorkOrder) throws(WorkRefusal) {
        let waiter = Waiter(order)
        if !state.withLock({ $0.add(waiter, of: order.user) }) {
            // What was left behind by programs that are gone must not keep the user's other programs out.
            let left = state.withLock { $0.drop(of: order.user) { !$0.order.isWanted() } }
            for waiter in left { waiter.wake(isAbandoned: true) }
            guard state.withLock({ $0.add(waiter, of: order.user) }) else {
                usleep(pause * 1000)
                throw .tooMuchWaiting
            }
        }
        advance()
        guard waiter.wait() else { throw .abandoned }
    }

    fileprivate func leave(_ user: UInt32) {
        state.withLock { $0.finish(user) }
        advance()
    }

    /// Lets waiting work go first; false when the work was given up meanwhile, and has no place any more.
    fileprivate func giveWay(_ order: WorkOrder) -> Bool {
        let waiter = state.withLock { state -> Waiter? in
            guard state.waiting > 0 else { return nil }
            let waiter = Waiter(order)
            state.finish(order.user)
            state.addAgain(waiter, of: order.user)
            return waiter
        }
        guard let waiter else { return true }
        advance()
        return waiter.wait()
    }

    private func advance() {
        while let next = state.withLock({ $0.next() }) {
            let isWanted = next.order.isWanted()
            if !isWanted { state.withLock { $0.finish(next.order.user) } }
            next.wake(isAbandoned: !isWanted)
        }
    }
}

/// The turn of one piece of work.
// Not shared: the thread that works has it.
package final class WorkTurn {
    private let order: WorkOrder
    private let queue: FairQueue
    private var looked: UInt64 = 0
    fileprivate private(set) var isHeld = true

    fileprivate init(_ order: WorkOrder, _ queue: FairQueue) {
        self.order = order
        self.queue = queue
    }

    /// To be called again and again by work that takes seconds: lets others have their turn in between.
    ///
    /// False when the work is no longer wanted; then it ends.
    package func goesOn() -> Bool {
        let now = WorkTurn.now()
        // The first look is the beginning.
        if looked == 0 { looked = now }
        guard isHeld, now - looked >= WorkTurn.slice else { return isHeld }
        guard order.isWanted() else { return false }
        isHeld = queue.giveWay(order)
        looked = WorkTurn.now()
        return isHeld
    }

    /// Whether the work is no longer wanted.
    package var isAbandoned: Bool { !isHeld || !order.isWanted() }

    private static func now() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Nanoseconds after which others may go first.
    private static let slice: UInt64 = 30_000_000
}

@available(*, unavailable)
extension WorkTurn: Sendable {}

/// Whose work is next: users in turn, and the work of one user in the order in which it came.
///
/// It knows neither threads nor time, so that a test can play every order.
package struct FairOrder<Work: Sendable>: Sendable {
    private let places: Int
    private let ofUser: Int
    private let waitingOfUser: Int
    private var running: [UInt32: Int] = [:]
    private var count = 0
    private var work: [UInt32: [Work]] = [:]
    /// The users with waiting work; the one whose turn ended last is last.
    private var turns: [UInt32] = []

    /// At most `places` pieces run, `ofUser` of one user's; at most `waitingOfUser` of one user wait.
    package init(places: Int, ofUser: Int, waitingOfUser: Int) {
        precondition(places > 0 && ofUser > 0 && waitingOfUser > 0, "without a place nothing is ever done")
        self.places = places
        self.ofUser = ofUser
        self.waitingOfUser = waitingOfUser
    }

    /// How many pieces wait.
    package var waiting: Int { work.values.reduce(0) { $0 + $1.count } }

    /// Lets work wait for its turn; false when as much of the user's waits as may wait.
    package mutating func add(_ piece: Work, of user: UInt32) -> Bool {
        guard work[user, default: []].count < waitingOfUser else { return false }
        addAgain(piece, of: user)
        return true
    }

    /// The same for work that was begun and gives way, behind the user's other work and whatever the limit.
    package mutating func addAgain(_ piece: Work, of user: UInt32) {
        work[user, default: []].append(piece)
        if !turns.contains(user) { turns.append(user) }
    }

    /// What is to be done now, which has a place until `finish`; nil when there is no place for any of it.
    package mutating func next() -> Work? {
        guard count < places, let index = turns.firstIndex(where: { running[$0, default: 0] < ofUser }) else {
            return nil
        }
        let user = turns.remove(at: index)
        guard let piece = work[user]?.removeFirst() else { return nil }
        if work[user]?.isEmpty == true { work[user] = nil } else { turns.append(user) }
        running[user, default: 0] += 1
        count += 1
        return piece
    }

    /// A piece of the user's work has its place no more.
    package mutating func finish(_ user: UInt32) {
        precondition(running[user, default: 0] > 0, "work ends that never began")
        running[user, default: 0] -= 1
        if running[user] == 0 { running[user] = nil }
        count -= 1
        // Users who came during the turn have had none yet.
        if let index = turns.firstIndex(of: user) { turns.append(turns.remove(at: index)) }
    }

    /// Takes out what of the user's work fulfils a condition, without doing it.
    package mutating func drop(of user: UInt32, where isDropped: (Work) -> Bool) -> [Work] {
        let dropped = work[user, default: []].filter(isDropped)
        if dropped.isEmpty { return [] }
        work[user]?.removeAll(where: isDropped)
        if work[user]?.isEmpty == true {
            work[user] = nil
            turns.removeAll { $0 == user }
        }
        return dropped
    }
}

/// A thread that waits for its turn.
// Safe: the semaphore is allocated in init, freed in deinit, and never handed out.
@safe
private final class Waiter: @unchecked Sendable {
    // Sendable: a semaphore is for threads, and the verdict is written before it is raised and read after that.
    let order: WorkOrder
    private let semaphore: UnsafeMutablePointer<sem_t>
    private let isAbandoned = Atomic(false)

    init(_ order: WorkOrder) {
        self.order = order
        unsafe semaphore = .allocate(capacity: 1)
        unsafe semaphore.initialize(to: sem_t())
        unsafe sem_init(semaphore, 0, 0)
    }

    deinit {
        unsafe sem_destroy(semaphore)
        unsafe semaphore.deallocate()
    }

    func wake(isAbandoned: Bool) {
        self.isAbandoned.store(isAbandoned, ordering: .releasing)
        unsafe sem_post(semaphore)
    }

    /// True when it is its turn; false when it is no longer wanted.
    func wait() -> Bool {
        while unsafe sem_wait(semaphore) != 0 {}
        return !isAbandoned.load(ordering: .acquiring)
    }
}
