"""The comparison of docs/matching.md once more, plainly: what the engine is held to. Needs python3-icu, python3-levenshtein."""
import collections
import itertools
import math
import pathlib
import re
import unicodedata

import icu
import Levenshtein

WORDS = pathlib.Path(__file__).resolve().parents[3] / "src/match/words"
LATIN = icu.Transliterator.createInstance("Lower; Any-Latin; Latin-ASCII; Lower")
MAX, TOKENS = 256, 32  # letters and tokens of a folded text


def read_words():
    classes, rewrites = collections.defaultdict(set), {"write": {}, "number": {}}
    for path in sorted(WORDS.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            kind, *words = line.split("#")[0].split() or [""]
            if kind in rewrites:
                rewrites[kind][words[0]] = words[1]
            else:
                classes[kind].update(words)
    return classes["type"], classes["residence"], classes["street"], rewrites["write"], rewrites["number"]


TYPE, RESIDENCE, STREET, WRITE, NUMBER = read_words()


def fold(text):
    s = LATIN.transliterate(unicodedata.normalize("NFKC", text or ""))
    for sign, word in (("&", " and "), ("+", " and "), ("@", " at ")):
        s = s.replace(sign, word)
    s = "".join(c for c in s if c not in "'\"`\u2019\u00b4\u02b9\u02bb")
    s = re.sub(r"(?<=\b[a-z])\.(?=[a-z]\b)", "", s)
    return " ".join(re.findall("[a-z0-9]+", s))[:MAX].strip()


def tokens(text):
    """Single letters in a row are one token; numbers and abbreviations are written as they are compared."""
    words = [NUMBER.get(w, w) for w in fold(text).split()]
    out = []
    for single, group in itertools.groupby(words, key=lambda w: len(w) == 1 and w.isalpha()):
        out += ["".join(group)] if single else list(group)
    return tuple(word for t in out[:TOKENS] for word in WRITE.get(t, t).split("_"))[:TOKENS]


def core(t):
    return frozenset(t) - TYPE


class Corpus:
    """How rare tokens and names are in both lists together."""

    def __init__(self, *lists):
        records = list(itertools.chain(*lists))
        self.n = len(records)
        self.in_names, self.in_addresses, self.names, self.cores = (collections.Counter() for _ in range(4))
        for r in records:
            t = tokens(r["name"])
            self.in_names.update(set(t))
            self.in_addresses.update(set(tokens(r.get("address"))))
            self.names["".join(t)] += 1
            self.cores[core(t)] += 1

    def name(self, t):
        return self._rarity(self.in_names[t])

    def address(self, t):
        return self._rarity(self.in_addresses[t]) * (0.15 if t in STREET else 1)

    def _rarity(self, df):
        return math.log((self.n + 1) / (df + 0.5)) / math.log(self.n + 1)


def jaro_winkler(x, y):
    """Jaro's pairs lie at most half the shorter text apart, and Winkler's common beginning may be as long as it is. Releases of
    python3-levenshtein differ in both."""
    short, long = sorted((x, y), key=len)
    reach, rank = (len(short) + 1) // 2, {}
    for i, letter in enumerate(long):
        for j in range(max(0, i - reach), min(len(short), i + reach + 1)):
            if j not in rank and short[j] == letter:
                rank[j] = len(rank)
                break
    if not rank:
        return 0.0
    m, out_of_order = len(rank), sum(rank[j] != i for i, j in enumerate(sorted(rank)))
    jaro = (m / len(short) + m / len(long) + 1 - out_of_order / m / 2) / 3
    common = next((i for i, (a, b) in enumerate(zip(short, long)) if a != b), len(short))
    return min(1.0, jaro + (1 - jaro) * common * 0.1)


def similar(x, y):
    if x == y:
        return 1.0
    short, long = sorted((x, y), key=len)
    if len(short) < 3 or x.isdigit() or y.isdigit():
        return 0.0
    begins = 0.86 + 0.1 * len(short) / len(long) if len(short) >= 4 and long.startswith(short) else 0.0
    if len(x) == len(y) >= 4 and Levenshtein.distance(x, y) == 1:
        return max(begins, 0.9 + 0.005 * min(10, len(x)))
    letters = jaro_winkler(x, y)
    return max(begins, letters if letters >= 0.88 else 0.0)


def align(a, b, rarity):
    """[(token of a, similarity, weight)], what is left of a and of b."""
    a, b, pairs = list(a), list(b), []
    for one, other in ((a, b), (b, a)):
        i = 0
        while i + 1 < len(one):
            both = one[i] + one[i + 1]
            if len(both) >= 5 and both in other:
                pairs.append((both, 1.0, max(rarity(one[i]) + rarity(one[i + 1]), rarity(both))))
                other.remove(both)
                del one[i:i + 2]
            else:
                i += 1
    tries = [(similar(x, y), i, k) for i, x in enumerate(a) for k, y in enumerate(b)]
    free_a, free_b = dict(enumerate(a)), dict(enumerate(b))
    for s, i, k in sorted((t for t in tries if t[0] > 0), key=lambda t: (-t[0], t[1], t[2])):
        if i in free_a and k in free_b:
            x, y = free_a.pop(i), free_b.pop(k)
            pairs.append((x, s, rarity(x) if s == 1 else (rarity(x) + rarity(y)) / 2))
    return pairs, list(free_a.values()), list(free_b.values())


def initials(t):
    return "".join(x[0] for x in t if x not in ("and", "the", "of"))


def level_name(a, b, c):
    ta, tb = tokens(a["name"]), tokens(b["name"])
    pairs, left_a, left_b = align(ta, tb, c.name)

    def left(rest, other):
        known = set(tokens(other.get("address")))
        return sum(c.name(t) * (0.35 if t in TYPE else 1) * (0.5 if t in known else 1) for t in rest)

    weights = [w * (0.5 if t in TYPE else 1) for t, _, w in pairs]
    full, part = sum(weights), sum(s * w for (_, s, _), w in zip(pairs, weights))
    shares = sorted(part / all if all else 0 for all in (full + left(left_a, b), full + left(left_b, a)))
    low, high = shares
    sa, sb = "".join(ta), "".join(tb)
    letters = 1 - Levenshtein.distance(sa, sb) / max(1, len(sa), len(sb))
    acronym = any(len(x) >= 3 and initials(x) in y for x, y in ((ta, tb), (tb, ta)))
    same_core = bool(core(ta)) and core(ta) == core(tb)
    level = max(k for k, holds in enumerate((
        True,
        low >= .25 or high >= .45 or letters >= .5,
        low >= .4 or high >= .65 or letters >= .65,
        low >= .55 or high >= .85,
        low >= .7 or (high >= .97 and low >= .4) or letters >= .85 or acronym,
        low >= .85 or (high >= .97 and low >= .6) or same_core,
        sa == sb or (same_core and sorted(ta) == sorted(tb)))) if holds)
    if level < 5:
        return level
    often = max(c.names[sa], c.names[sb], max(c.cores[core(ta)], c.cores[core(tb)]) if same_core else 0)
    return 5 + (level - 5) * 4 + sum(often > k for k in (2, 5, 15))


def metres(a, b):
    p = math.pi / 180
    north, east = math.sin((b["lat"] - a["lat"]) * p / 2), math.sin((b["lng"] - a["lng"]) * p / 2)
    return 12742000 * math.asin(min(1, math.sqrt(
        north ** 2 + math.cos(a["lat"] * p) * math.cos(b["lat"] * p) * east ** 2)))


def level_address(a, b, c):
    if not a.get("address") or not b.get("address"):
        return 0
    street_a, street_b = ([t for t in tokens(r["address"]) if not t.isdigit()] for r in (a, b))
    pairs, left_a, left_b = align(street_a, street_b, c.address)
    agree = sum(s * w for _, s, w in pairs)
    least = min(agree + sum(map(c.address, rest)) for rest in (left_a, left_b))
    same = agree / least if least > 0 else 0
    houses_a, houses_b = ({m[1] for w in fold(r["address"]).split() if (m := re.fullmatch(r"(\d+)[a-z]?", w))}
                          for r in (a, b))
    known, house = bool(houses_a and houses_b), bool(houses_a & houses_b)
    if same >= .7:
        return 1 if house else 3 if known else 2
    return 4 if house else 6 if same < .3 else 5


def level_zip(a, b):
    x, y = (fold(r.get("zip")).replace(" ", "") for r in (a, b))
    if not x or not y:
        return 0
    same = len(list(itertools.takewhile(lambda p: p[0] == p[1], zip(x, y))))
    return 1 if x == y else 2 if same / max(len(x), len(y)) >= .6 else 3


def level_numbers(a, b):
    x, y = ({"".join(filter(str.isdigit, t)) for t in tokens(r["name"])} - {""} for r in (a, b))
    if x and y:
        return 2 if not x & y else 1 if x == y else 0
    return 3 if x or y else 0


def misspelt(word, other):
    if other in (word + "s", word[:-1]) and (other + "s" == word or other == word + "s"):
        return True
    if other in TYPE | RESIDENCE or len(word) < 4 or len(other) < 3 or word[0] != other[0]:
        return False
    short, long = sorted((word, other), key=len)
    return (min(len(word), len(other)) >= 5 and similar(word, other) >= 0.9 or
            len(long) == len(short) + 1 and any(long[:i] + long[i + 1:] == short for i in range(len(long))))


def level_residence(a, b):
    x, y = tokens(a["name"]), tokens(b["name"])

    def has(t, word):
        return word in t or any(misspelt(word, other) for other in t)

    return int(not all(has(y, t) for t in x if t in RESIDENCE) or not all(has(x, t) for t in y if t in RESIDENCE))


def levels(a, b, c, card):
    every = {
        "name": lambda: level_name(a, b, c), "address": lambda: level_address(a, b, c),
        "distance": lambda: sum(metres(a, b) >= k for k in card["metres"]), "zip": lambda: level_zip(a, b),
        "numbers": lambda: level_numbers(a, b), "residence": lambda: level_residence(a, b), "nearer": lambda: 0,
    }
    return {k: every[k]() for k in every if k in card["bits"]}


def bits(lv, card):
    return card["bias"] + sum(card["bits"][k][v] for k, v in lv.items())
