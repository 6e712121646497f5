// SPDX-License-Identifier: Apache-2.0

internal import CLinux
internal import Glibc
package import KeychainModel
internal import KeychainSystem

/// What a program can do about its own memory and rights.
package enum Hardening {
    /// Forbids core dumps, and debuggers of the same user, from now on; core dumps of programs that are started, too.
    package static func forbidCoreDumps() throws(KeychainError) {
        let failure = llv_disable_core_dumps(true)
        guard failure == 0 else {
            throw KeychainError(.internalError, "core dumps cannot be switched off", code: Int64(failure))
        }
    }

    /// Takes the filter of system calls for one that allows memory hidden from the kernel, where a service manager started this program.
    ///
    /// The units list that. An agent has the filter of the service that it was started from.
    package static func trustFilterOfUnit() {
        guard let started = unsafe getenv("SYSTEMD_EXEC_PID"), unsafe String(cString: started) == "\(getpid())" else {
            return
        }
        llv_trust_filter_with_hidden_memory()
    }

    /// Lets debuggers of the same user in again where a debug build was asked for it; call it after `forbidCoreDumps`.
    ///
    /// Returns what to warn of then; nil otherwise, and always in a release build. The limit of core files stays 0; where core dumps
    /// go to a program (`|` in core_pattern), it gets one, since the kernel asks no limit there.
    package static func letDebuggersAttach() -> String? {
        guard let warning = DebugBuild.debuggerWarning else { return nil }
        llv_show_process()
        return warning
    }

    /// Lets a crash of a program of our own end it, and no more: Swift's runtime would show what was in registers and memory.
    package static func forbidCrashReports() { llv_forbid_crash_reports() }

    /// Lets the process have as many files open as a full daemon needs, where its starter leaves it to the process.
    ///
    /// The usual limit is a thousand, and each client takes several: a client that fills the daemon would keep it from its own
    /// database.
    package static func makeRoomForFiles() throws(KeychainError) {
        let failure = llv_make_room_for_files(8192)
        guard failure == 0 else {
            throw KeychainError(.internalError, "the limit of open files cannot be raised", code: Int64(failure))
        }
    }

    /// Makes writing fail where a file may grow no larger (ulimit -f), which would end the process.
    package static func surviveFileSizeLimit() { llv_catch_file_size_signal() }

    /// Gives up every right of root's but to look at other users' processes, where there is one; before the first thread.
    ///
    /// Which other calls the process may make is not restricted here: a user's daemon starts pinentry, and a list of what
    /// that and everything below it need would break with each of their versions. The service manager's lists are kept up to
    /// date.
    package static func dropRights() throws(KeychainError) {
        let failure = llv_drop_capabilities(llv_look_into_processes)
        guard failure == 0 else {
            throw KeychainError(.internalError, "root privileges cannot be dropped", code: Int64(failure))
        }
    }

    /// Forbids this process and all it would ever start to execute a program, for good; after `dropRights`, before the first
    /// thread.
    ///
    /// The system's daemon has every user's keys: whatever a fault in it made it do, it would not be another's program.
    package static func forbidPrograms() throws(KeychainError) {
        let failure = llv_forbid_programs()
        guard failure == 0 else {
            throw KeychainError(
                .internalError, "the kernel does not let the daemon drop the right to execute programs",
                code: Int64(failure))
        }
    }
}
