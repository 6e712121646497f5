// SPDX-License-Identifier: Apache-2.0
// Finds sections that have all words, in the index beside it: titles count more than text, whole words more than beginnings.
"use strict"

const fold = text => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "")

function score(section, words) {
    const [, page, title, text] = section
    const fields = [[fold(title), 8], [fold(page), 3], [fold(text), 1]]
    let sum = 0
    for (const word of words) {
        let best = 0
        for (const [field, weight] of fields) {
            const place = field.indexOf(word)
            if (place < 0) continue
            const isStart = place === 0 || !/[\p{L}\p{N}]/u.test(field[place - 1])
            const isWhole = isStart && !/[\p{L}\p{N}]/u.test(field[place + word.length] ?? " ")
            best = Math.max(best, weight * (field === word ? 4 : isWhole ? 2 : isStart ? 1.5 : 1))
        }
        if (best === 0) return 0
        sum += best
    }
    return sum
}

function excerpt(text, words) {
    const place = Math.max(0, Math.min(...words.map(word => fold(text).indexOf(word)).filter(at => at >= 0), text.length) - 60)
    return (place > 0 ? "…" : "") + text.slice(place, place + 200) + (place + 200 < text.length ? "…" : "")
}

function search(query) {
    const words = fold(query).split(/\s+/).filter(Boolean)
    const results = document.getElementById("results")
    results.replaceChildren()
    if (words.length === 0) return
    const found = sections.map(section => [score(section, words), section]).filter(([points]) => points > 0)
    found.sort((left, right) => right[0] - left[0])
    for (const [, [path, page, title, text]] of found.slice(0, 50)) {
        const item = document.createElement("li")
        const link = document.createElement("a")
        link.href = path
        link.textContent = title === page ? title : `${title} – ${page}`
        const words_around = document.createElement("p")
        words_around.textContent = excerpt(text, words)
        item.append(link, words_around)
        results.append(item)
    }
    document.getElementById("count").textContent =
        `${found.length} ${found.length === 1 ? "section has" : "sections have"} ${query}${found.length > 50 ? "; the first 50" : ""}`
}

const field = document.getElementById("q")
field.value = new URLSearchParams(location.search).get("q") ?? ""
field.addEventListener("input", () => search(field.value))
search(field.value)
