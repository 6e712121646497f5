// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import KeychainAudit
internal import KeychainCircle
internal import KeychainConnection
internal import KeychainDaemon
internal import KeychainModel
internal import KeychainRequest
internal import KeychainSystem

/// Keeps the open keychains that are in circles up with them: one thread, which sleeps while there are none.
///
/// Programs never wait for it: between two calls of its own it holds nothing of a keychain.
final class CircleThread: Sendable {
    private let keychains: UserKeychains
    private let interval: UInt32
    private let wakeUp: WakeUp
    private let ended: WakeUp
    private let stopping = Cancellation()

    /// Begins; nil where it is not wanted or cannot be.
    ///
    /// Not in the system's daemon, which has neither a network nor programs of its users.
    static func start(_ options: DaemonOptions, _ keychains: DaemonKeychains) -> CircleThread? {
        guard !options.isOfSystem, let interval = options.syncInterval else { return nil }
        do throws(WaitFailure) {
            let thread = try CircleThread(keychains.served, interval)
            keychains.served.whenOpened { [wakeUp = thread.wakeUp] in wakeUp.signal() }
            guard NamedThread.start("circles", { thread.run() }) == 0 else { throw .failed(EAGAIN) }
            return thread
        } catch {
            Llaverod.say("the system has no thread left for synchronization; `llavero sync` does it when it is run")
            return nil
        }
    }

    private init(_ keychains: UserKeychains, _ interval: UInt32) throws(WaitFailure) {
        self.keychains = keychains
        self.interval = interval
        wakeUp = try WakeUp()
        ended = try WakeUp()
        stopping.attach(wakeUp)
    }

    func beginToStop() { stopping.trip() }

    /// Ends what is under way, and waits for that, a second at most: a look-up of a host's name cannot be ended.
    func stop() {
        stopping.trip()
        var file = pollfd(fd: ended.file, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&file, 1, 1000)
    }

    private func run() {
        var open: [OpenCircle] = []
        while !stopping.isTripped {
            let opened = keychains.opened
            open.removeAll { $0.keychain.isOver }
            for (user, keychain) in opened where !open.contains(where: { $0.keychain === keychain }) {
                open.append(OpenCircle(keychain, of: user, keychains, interval, wakeUp, stopping))
            }
            for circle in open where !stopping.isTripped { circle.attend() }
            let next = open.map(\.due).min() ?? .never
            var file = pollfd(fd: wakeUp.file, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&file, 1, next.remaining)
            if !stopping.isTripped { wakeUp.reset() }
        }
        ended.signal()
    }
}

/// One open keychain, and when the next round with its circle is due.
private final class OpenCircle {
    let keychain: UserKeychain
    private(set) var due = Instant.now
    private let user: UInt32
    private let keychains: UserKeychains
    private let interval: UInt32
    private let upkeep: CircleUpkeep
    private let news: ForkSafeMutex<News>
    private var failures: UInt32 = 0
    private var lastRound = Instant.now
    private var isInCircle = false

    /// What was heard since the last look.
    private struct News: Sendable {
        var hasChanged = false
        /// The lock, or what is known of the circle.
        var isOther = false
        var isOfServer = false
    }

    init(
        _ keychain: UserKeychain, of user: UInt32, _ keychains: UserKeychains, _ interval: UInt32, _ wakeUp: WakeUp,
        _ stopping: Cancellation
    ) {
        (self.keychain, self.user, self.keychains, self.interval) = (keychain, user, keychains, interval)
        let news = ForkSafeMutex(News())
        self.news = news
        let session = ServedSession(with: keychain, of: keychains, for: CircleItems.caller) { told in
            news.withLock { news in
                switch told {
                case .changed(let events):
                    news.hasChanged = true
                    let own = events.contains { $0.group == AccessGroup.sync.name }
                    news.isOfServer = news.isOfServer || own
                    news.isOther = news.isOther || own
                case .lockChanged, .circleChanged: news.isOther = true
                }
            }
            wakeUp.signal()
        }
        // To destroy what a removed machine has takes more than the circle's own items.
        let everything = Caller(groups: [], seesEveryGroup: true, administersKeys: true, program: nil)
        let items = ServedSession(with: keychain, of: keychains, for: everything) { _ in }
        let name = keychain.host.folder ?? "in memory"
        upkeep = CircleUpkeep(
            session, items: items, folder: keychain.host.folder, now: OpenCircle.now, cancellation: stopping
        ) {
            Llaverod.say("\($0) (keychain \(name))")
        }
    }

    /// Runs a round if one is due.
    func attend() {
        take(
            news.withLock { news in
                defer { news = News() }
                return news
            })
        guard due.remaining == 0 else { return }
        let outcome = upkeep.round()
        lastRound = .now
        isInCircle = true
        switch outcome {
        // There is nothing to do until somebody says so.
        case .noCircle, .beforeFirstUnlock:
            (failures, due, isInCircle) = (0, .never, false)
            upkeep.closeConnection()
        case .done(let isExpecting):
            failures = 0
            wait(isExpecting ? min(interval, OpenCircle.expecting) : interval)
        case .failed:
            failures += 1
            let seconds = min(OpenCircle.longest, interval << min(failures, 10))
            if seconds >= OpenCircle.idle { upkeep.closeConnection() }
            wait(seconds)
        case .removed:
            upkeep.closeConnection()
            wait(OpenCircle.longest)
        case .toDestroy: destroy()
        case .ended: due = .never
        }
    }

    private func take(_ news: News) {
        if news.isOfServer { upkeep.forgetServer() }
        // What was begun, unlocked or joined is not known yet.
        guard news.isOther || news.hasChanged && isInCircle && upkeep.hasChanges else { return }
        // Several changes go together; a server that does not answer is not asked at each of them.
        let soon = Instant.now.adding(milliseconds: OpenCircle.coalescing)
        due = min(
            due, failures == 0 || news.isOther ? soon : max(soon, lastRound.adding(seconds: OpenCircle.expecting)))
    }

    /// So many seconds, and up to a third more or less, so that machines do not come all at once.
    private func wait(_ seconds: UInt32) {
        due = .now.adding(milliseconds: Int32(clamping: Int(seconds) * Int.random(in: 700...1300)))
    }

    private func destroy() {
        Llaverod.say(
            "the circle has this machine destroy its keychain \(keychain.place.path ?? ""): its device key first, then its files"
        )
        do throws(KeychainError) { try keychains.destroy(keychain, of: user) } catch {
            Llaverod.say("the keychain could not be destroyed: \(error.description); run `llavero erase`")
        }
        due = .never
    }

    private static let now: @Sendable () -> Double = { Double(time(nil)) - 978_307_200 }
    private static let coalescing: Int32 = 1000
    private static let expecting: UInt32 = 5
    private static let idle: UInt32 = 300
    private static let longest: UInt32 = 900
}
