// SPDX-License-Identifier: Apache-2.0

/// The 1024 words in which recovery keys are written: a word's place in the list is ten bits of the key.
///
/// Each is known by its first four letters, and no slip of one letter turns one into another. On paper they outlive
/// every version of this program, so the list never changes.
package enum RecoveryWordList {
    /// The words in alphabetical order.
    package static let words = read()

    /// The place of the one word that `typed` is, or abbreviates to four letters or more.
    // Not in constant time, and neither is looking a word up by its place: a person types or reads the words on this
    // machine, once. Who could time that from outside sees noise, and who can from inside sees the screen and the keys.
    package static func index(of typed: RecoveryWord) -> Int? {
        var low = 0
        var high = words.count
        while low < high {
            let middle = (low + high) / 2
            if words[middle].start < typed.start { low = middle + 1 } else { high = middle }
        }
        guard low < words.count, typed.isBeginning(of: words[low]) else { return nil }
        return low
    }

    private static func read() -> [RecoveryWord] {
        let span = text.utf8.span
        let words = unsafe span.bytes.withUnsafeBytes { bytes in
            var words: [RecoveryWord] = []
            words.reserveCapacity(count)
            var reader = unsafe RecoveryWordReader(bytes)
            while let typed = unsafe reader.next() {
                if let word = unsafe RecoveryWord(typed) { words.append(word) }
            }
            return words
        }
        precondition(words.count == count, "the list of recovery words was damaged")
        return words
    }

    package static let count = 1024

    // Our own selection of common words that are spelled alike on both sides of the Atlantic, sound like no other word
    // in the list, and are not offensive, abbreviated or not.
    private static let text = """
        absent accent acid acorn active actor actual address adjust admire adopt adult advance afford after again agenda
        agree ahead airport album alcove alert almond alone alpha alpine always amaze amber amount anchor animal annual
        answer antenna apart apology appear apple apricot apron aquatic arcade arctic argue aroma arrange arrive artist
        ashore aside asleep assist athlete atomic attach attend attic auction august author avenue average avocado avoid
        awake award awesome baby bacon badge bagel baker balance balcony bamboo banjo banner barber basic basket bathtub
        battery bedroom before begin behave behind belong bench benefit beside between beyond bicycle bike billion birch
        bird blade blanket blink bloom blossom blur boat body bonfire bonus boost borrow botany both bounce boxer
        bracket brave breeze bright bring broad broken brother brush bubble bucket budget buffalo builder bulk bundle
        bunny burger busy butler buzz cabbage cabin cable cactus calm camel canoe canyon capable captain caramel card
        carpet cashew casual caution cave celery central certain chair chamber change chat cheese chef cherry chess
        chicken child chip choice circle citizen citrus city civic clap clarify clean clever cliff climate clinic clock
        club cluster coach coastal cobalt coconut code coil cola colony comfort comic common concept conduct console
        convert cookie copper copy corner correct cosmos cottage couple courage cowboy crab craft crayon create credit
        critic cross crouch crowd crumb crunch crystal culture cupcake curious curl curve cushion custom cyclone daisy
        dance date daytime decade declare deep define degree deliver delta demand dentist deposit depth desk detail
        detect devote dial diamond diet differ digital dinner direct display divide doctor dodge doll dolphin dome
        donate donkey doorway dotted double down dozen dragon drain dream dress drink drive drop drum duck during duty
        eagle earring earth easel easy echo eclipse edit educate eighty elbow elder elegant element eleven else emotion
        endless engage engine enjoy entire entry equal evening every exam excite excuse exhibit exist expand explore
        export express extend extra eyebrow eyelid fact faculty fairly falcon family famous fantasy farm fashion feather
        feed fence fetch field fifteen figure film filter final first fish fitness five fixture flake flannel flash
        fleece flicker flight flip float fluffy fluid flute focus foliage follow foot forest forget forum foster fragile
        frame fresh friend front frown frozen fruit fudge fuel further future gadget galaxy gallery game garden garlic
        garment gather gecko general gentle geology giant gift giggle ginger giraffe glad glaze gleam glide glitter
        global glory glove glow glue goal gold goose grape grass gravel greet grid groove group guard guitar gulf gust
        habit haircut half hallway hammer hamster handy happen harness harvest hatch haven hazel heap helmet helper hero
        hexagon hidden hint hippo history hobby hockey holiday honest hood hopeful host house huge human humid humming
        hundred hunter iceberg icing idea igloo iguana image impress inbox inch include indeed indoor inside integer
        invite iron island ivory jacket jaguar jasmine jazz jelly jigsaw jingle jogger join joke journal joyful juggle
        juice jumbo jump junior keeper kettle keyhole kind kingdom kitchen kite kiwi koala label ladle lady lagoon lamp
        laptop large last laugh lawn layer leaflet leash leave left legal legend lemon lend length leopard lettuce level
        library lilac lily lime limit linen lion little locate locust logic logo look lotion lotus loud lower lucky
        luggage lullaby lunar lunch luxury machine magic magpie major make mammoth manage manual maple marble marker
        marvel mature maximum meadow meal medical melon melt memory menu mercury middle midway migrate mild mineral
        miracle mirror misty mitten mixer mobile modern moment monitor month moon moss motel movie muffin museum music
        mystery nail napkin narrow nation navy nearly neat neck needle neon network never newborn nibble nickel nine
        noise noodle normal north note nothing novel nugget number nurse nutmeg oatmeal ocean octopus offer office often
        once onion online only open orange orbit orchard order oregano ostrich other outdoor outside oval over owner
        oyster package padlock page paint palace panel panther paprika parcel park parsley patrol payment peanut pebble
        pelican pencil penguin people pepper perform perhaps permit phone photo physics picnic pink pioneer pipe pivot
        pixel pizza plaster playful plaza plenty plot plug plural podium poem polo popcorn portion postage potato pouch
        powder prefer prepare pretty prevent price primary prism problem produce project provide public puddle pulley
        pulse pumpkin pupil purpose push puzzle pyramid python quail quality quarter query quest quick quiet quiz quote
        rabbit race radar radio railway rainbow raisin rally ranch random rapid ravine react ready rebuild record
        recycle reduce reef refresh refund regular relax remind renew reply report reptile rescue respect retire reward
        ribbon rich ridge rinse river robin robot rocket rodeo roof rooster rope rotate round royal ruby rudder ruler
        runner saddle safari safe salmon salsa salt sand saucer sausage scale scarlet school science scope scout screen
        script season seaweed second secret section seek select senior series serve setup seven shadow shape shawl
        shelter shield shine shiver short shovel shrimp shuffle shuttle sibling signal silence silk silver similar
        simple sister sixty sketch skill skirt slice slipper small smart smile smooth snack snake snap snow soccer sock
        soda soft solid solve song soup space special spell spend sphere spider spin spiral splash split spoon spot
        spray spread square stairs stamp station steer stem stick stone stop straw strong study subway success such
        sudden sugar suit summer sunset super support surface survive swan sweater sweep swift swim switch syrup tablet
        taco tadpole talent tango tank target taste taxi teach teapot tempo tennis texture thimble this thorn thought
        thread thrill throat thumb thunder ticket tiger tile tiny toast today toddler toffee token tomato tooth topic
        torch towel trade traffic transit treat trek trio trolley trout truck true truth tube tulip tumble turkey turnip
        turtle twelve twenty twice twig twirl type ultra unable uncle uncover under unfold uniform unique unit unlock
        unpack until unusual upbeat update upgrade uphill upon upper upright urban urgent useful usual utility valid
        value vanilla variety velvet vest video view villa visible visual vitamin vivid voice volcano voyage wafer
        waffle wagon waiter walnut walrus waltz warmth wash wealth wedge weekend welcome wheat whisper willow window
        winter wire wisdom wizard wolf wool work woven wrist yarn year yeast yellow yoga young youth zebra zigzag zinc
        zipper zone zoom
        """
}

/// Four to seven letters of a recovery word, without regard to case, as one number.
///
/// The numbers sort as the words do.
package struct RecoveryWord: Hashable, Sendable {
    /// The letters in lower case from the highest byte down, zeros behind them.
    package let packed: UInt64

    /// What was typed, or nil when it is no word of the list's kind, nor long enough to be the beginning of one.
    package init?(_ typed: UnsafeRawBufferPointer) {
        guard Self.sizes.contains(typed.count) else { return nil }
        var packed: UInt64 = 0
        for index in 0..<typed.count {
            // Only letters land between a and z: the bit is what tells upper from lower case.
            let letter = unsafe typed[index] | 0x20
            guard letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "z") else { return nil }
            packed |= UInt64(letter) << Self.shift(index)
        }
        self.packed = packed
    }

    package var count: Int { packed.bitWidth / 8 - packed.trailingZeroBitCount / 8 }

    /// The letter at `index`, counted from 0; 0 behind the last.
    package func letter(at index: Int) -> UInt8 { UInt8(truncatingIfNeeded: packed >> Self.shift(index)) }

    /// The first four letters.
    package var start: UInt32 { UInt32(truncatingIfNeeded: packed >> 32) }

    /// Whether `word` begins with, or is, these letters.
    package func isBeginning(of word: RecoveryWord) -> Bool {
        // The zeros behind a shorter word differ from any letters.
        (packed ^ word.packed) >> Self.shift(count - 1) == 0
    }

    private static func shift(_ index: Int) -> Int { 56 - 8 * index }

    package static let sizes = 4...7
}
