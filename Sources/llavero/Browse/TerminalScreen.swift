// SPDX-License-Identifier: Apache-2.0

internal import CCurses
internal import Glibc
internal import KeychainBrowser
internal import KeychainModel
internal import KeychainTools

/// The terminal as a whole screen: draws frames, and says what was typed.
///
/// ncurses draws the texts. Secrets are written past it, from their own memory to the terminal, so that none of its buffers has
/// them; in its eyes the cells are blank, and before another frame this type makes them so.
final class TerminalScreen {
    enum Input {
        case event(BrowserEvent)
        /// To be stopped until the shell goes on with it.
        case suspension
        /// It was stopped, by whomever, and goes on.
        case resumed
        /// To end: the terminal is gone, or somebody said so.
        case end
    }

    let isUnicode: Bool
    private var shown: [ScreenFrame.SecretPart] = []

    init(hasMouse: Bool) throws(CommandError) {
        let result = llv_curses_take(Screen.output.hasColours, hasMouse)
        switch Int(result) {
        case LLV_CURSES_TAKEN: break
        case LLV_CURSES_NO_LIBRARY:
            throw .failure("browse needs the library ncurses: sudo apt install libncursesw6")
        case LLV_CURSES_NO_TERMINAL:
            throw .failure(
                "this terminal is unknown: TERM is \(PlainText.shown(ProgramSearch.variable("TERM") ?? "")); the package ncurses-term has more of them"
            )
        default: throw .failure("no pipe can be made for signals (\(errno))")
        }
        isUnicode = llv_curses_is_unicode()
    }

    var size: (columns: Int, rows: Int) {
        var (columns, rows): (Int32, Int32) = (0, 0)
        unsafe llv_curses_measure(&columns, &rows)
        return (Int(columns), Int(rows))
    }

    // MARK: Drawing

    func draw(_ frame: ScreenFrame) {
        wipe(keeping: frame.secrets)
        llv_curses_clear()
        for text in frame.texts {
            unsafe llv_curses_put(Int32(text.row), Int32(text.column), text.text, TerminalScreen.look(text.style))
        }
        llv_curses_show(Int32(frame.cursor?.row ?? -1), Int32(frame.cursor?.column ?? 0))
        // Again each time: ncurses clears rows to their end where it has blanks.
        for part in frame.secrets {
            unsafe part.secret.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress, part.bytes.upperBound <= bytes.count else { return }
                unsafe llv_curses_overwrite(
                    Int32(part.row), Int32(part.column), start + part.bytes.lowerBound, part.bytes.count)
            }
        }
        shown = frame.secrets
    }

    private func wipe(keeping kept: [ScreenFrame.SecretPart]) {
        for part in shown where !kept.contains(where: { $0.isSame(as: part) }) {
            llv_curses_wipe(Int32(part.row), Int32(part.column), Int32(part.width))
        }
    }

    /// Has the next frame drawn anew: something else wrote on the screen.
    func forget() { llv_curses_forget() }

    /// Erases the screen, and gives the terminal back as it was.
    func leave() {
        wipe(keeping: [])
        shown = []
        llv_curses_leave()
    }

    func comeBack() { llv_curses_return() }

    /// Lends the terminal, still with its other screen, to what writes on it and reads from it.
    func lend<Value>(_ body: () -> Value) -> Value {
        wipe(keeping: [])
        shown = []
        llv_curses_lend()
        defer { llv_curses_take_back() }
        return body()
    }

    private static func look(_ style: ScreenStyle) -> Int32 {
        let look: Int =
            switch style {
            case .plain: 0
            case .faint: LLV_CURSES_FAINT
            case .strong: LLV_CURSES_BOLD
            case .title: LLV_CURSES_BOLD | LLV_CURSES_REVERSE
            case .selected: LLV_CURSES_REVERSE
            case .good: LLV_CURSES_GREEN
            case .warning: LLV_CURSES_YELLOW
            case .danger: LLV_CURSES_RED | LLV_CURSES_BOLD
            }
        return Int32(look)
    }

    // MARK: Keys

    /// What comes within so many milliseconds; nil where nothing does.
    func next(within milliseconds: Int) -> Input? {
        var value: Int32 = 0
        let kind = unsafe llv_curses_wait(Int32(clamping: milliseconds), &value)
        switch Int(kind) {
        case LLV_CURSES_CHARACTER: return Unicode.Scalar(UInt32(value)).map { .event(.key(TerminalScreen.key($0))) }
        case LLV_CURSES_KEY: return .event(.key(TerminalScreen.keys[value] ?? .other))
        case LLV_CURSES_WHEEL: return .event(.wheel(up: value < 0))
        case LLV_CURSES_CLICK: return .event(.click(row: Int(value >> 16), column: Int(value & 0xFFFF)))
        case LLV_CURSES_END: return .end
        case LLV_CURSES_SIGNAL:
            switch value {
            case SIGWINCH:
                // A terminal that changes its size may have moved what was on it.
                wipe(keeping: [])
                shown = []
                forget()
                let size = size
                return .event(.resized(columns: size.columns, rows: size.rows))
            case SIGTSTP: return .suspension
            case SIGCONT: return .resumed
            default: return .end
            }
        default: return nil
        }
    }

    private static func key(_ scalar: Unicode.Scalar) -> BrowserKey {
        switch scalar.value {
        case 0x0A, 0x0D: .enter
        case 0x1B: .escape
        case 0x09: .tab
        case 0x08, 0x7F: .backspace
        case 0..<0x20: Unicode.Scalar(scalar.value + 0x60).map { .control($0) } ?? .other
        default: .character(scalar)
        }
    }

    /// ncurses' numbers of keys.
    private static let keys: [Int32: BrowserKey] = [
        0o402: .down, 0o403: .up, 0o404: .left, 0o405: .right, 0o406: .home, 0o407: .backspace, 0o512: .backspace,
        0o522: .pageDown, 0o523: .pageUp, 0o527: .enter, 0o541: .backTab, 0o550: .end,
    ]
}
