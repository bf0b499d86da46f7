#!/usr/bin/python3
"""Compare the engine with tests/unit/match/model.py, pair by pair: the same levels and the same bits.

compare.py MATCH_LEVELS [SEED]
"""
import json
import pathlib
import random
import subprocess
import sys
import tempfile

try:
    import model
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

CARDS = {
    True: {"bias": -3.1, "metres": (60, 200, 500, 1200, 3000, 8000, 20000, 60000), "bits": {
        "name": (-5.9, -5.1, -4.5, -1.9, 0.7, 3.1, 1.2, 1.0, 0.9, 6.7, 5.8, 4.5, 3.0),
        "distance": (5.0, 2.4, 0.3, -0.9, -1.0, -1.4, -1.5, -2.0, -3.2),
        "address": (0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0), "zip": (0.0, 0.5, 0.0, 0.0),
        "numbers": (0.0, 1.2, -0.3, -1.6), "residence": (0.0, -1.0)}},
    False: {"bias": -0.4, "metres": (10, 20, 40, 70, 120, 200, 350, 600, 1000), "bits": {
        "name": (-4.8, -6.0, -4.4, -2.5, -1.4, 1.0, 0.6, 1.2, 0.9, 5.2, 4.8, 3.6, 1.9),
        "distance": (4.3, 3.9, 3.6, 3.2, 1.9, 0.1, -1.2, -2.8, -5.3, -7.7),
        "address": (0.0, 1.2, 0.1, -0.7, 0.3, -0.5, -1.2), "zip": (0.0, 0.2, -0.3, -0.3),
        "numbers": (0.0, -0.3, -0.7, -0.6), "nearer": (0.0, -1.5, -2.5)}},
}

# Each line: names that somebody may have to tell apart, or not.
HAND_MADE = """
Orkide Resort & Spa 5*|Orkide Otel|ORKIDE RST AND SPA|Орхидея Резорт|Orkide Residence
Hôtel de la Côte d'Azur|Hotel Cote d Azur|H.M.V. Hotel|HMV|H M V|The Hotel of May and Valley
Maywell Inn|May Well Inn|maywell|May-Well|Maywel Inn|Mayvell
St. George's Beach|Saint Georges Bch|ST GEORGE|Saint George Second|St George 2nd|George II|George 2|George III
Hotel|HOTEL|Otel|Отель|||.|!!!|B&B|b b|B and B|A|aa
東京ホテル|Tokyo Hotel|ホテル東京|서울 호텔|Seoul Hotel|فندق القاهرة|Cairo Hotel|מלון|Ξενοδοχείο Αθηνά|Athina Hotel
Clearwater Beach|Huntington Beach|Clearwater|Clear Water Beach|Clearwater Bch Resort
Sun 1 Sun 2 Sun|Sun 1|Sun 2|Sun 12|Sun 21|Apart 46|Apt. 46a|46
International Trade Center|ITC|Trade Centre Intl|I.T.C.|Intercontinental Trading Community
Æsir Øre Åland|Aesir Ore Aland|Straße Weiß|Strasse Weiss|Łódź|Lodz|İstanbul Işık|Istanbul Isik
ﬁve ②Ⅳ ½ Hotel|Five 2iv 1/2 Hotel|a.b|a.b.c.|a.bc|x_y.z|q.é.w|ab.c
Bougainvillea Playa Hotel|Bouganvillea Playa|Bougainvilleas|Bougainvillea Plaza|bougainville
абв x.y.z|ГОСТИНИЦА «Юность»|Gostinitsa Yunost|Готель Юність|Hotel Yunist'|Yunost´
@home + you|At Home and You|"At home"|‘At’ Home|`at` home ʻʹ
"""
WORDS = """hotel otel resort spa beach club palace grand royal blue sun garden gardens park plaza residence villas tower city
saint st orkide sultan lara kemer side alanya antalya bodrum marmaris delphin titanic rixos premium deluxe the of and by la le
apart apartments suites inn one two second iii 4 12 b a x Côte Été Straße Öz Çam Şile отель пляж вилла море золото""".split()
STREETS = "main st. str. high road rd avenue ave ataturk cad. sok. no 12 12a 5 7b rue de la paix place via roma".split()


def misspell(r, text):
    for _ in range(r.randrange(3)):
        if len(text) > 2:
            i = r.randrange(len(text) - 1)
            text = r.choice((text[:i] + text[i + 1:], text[:i] + text[i + 1] + text[i] + text[i + 2:],
                             text[:i] + r.choice("abcxyz .-&'12") + text[i:], text[:i] + " " + text[i:]))
    return text


def record(r, i, name):
    out = {"id": i, "name": name, "lat": 36.5 + r.random() * r.choice((1e-4, 1e-2, 1)),
           "lng": 31 + r.random() * r.choice((1e-4, 1e-2, 1))}
    if r.random() < .7:
        out["address"] = misspell(r, " ".join(r.choices(STREETS, k=r.randrange(1, 6))))
    if r.random() < .6:
        out["zip"] = r.choice(("07400", "07 400", "0740", "07450", "SW1A 1AA", "sw1a1ab", "99"))
    return out


def made_up(r, n):
    first = [" ".join(r.choices(WORDS, k=r.randrange(1, 6))) for _ in range(n)]
    second = [misspell(r, r.choice(first)) if r.random() < .8 else " ".join(r.choices(WORDS, k=3)) for _ in range(n)]
    return [[record(r, i, name) for i, name in enumerate(names)] for names in (first, second)]


def hand_made(r):
    names = [name for line in HAND_MADE.strip().splitlines() for name in line.split("|")]
    names += ["x" * 1000, "ab " * 300, "a 1 " * 200, "abcd efgh " * 50, "ünï " * 100]
    return [[record(r, i, name) for i, name in enumerate(names)] for _ in range(2)]


def write(folder, name, records):
    path = pathlib.Path(folder) / name
    path.write_text("".join(json.dumps(x) + "\n" for x in records), encoding="utf-8")
    return path


def check(program, folder, lists, hotel):
    """How many pairs differ, and how many there are; the first ones are shown."""
    paths = [write(folder, f"{i}.ndjson", records) for i, records in enumerate(lists)]
    out = subprocess.run([program, *(["--hotel"] if hotel else []), *paths], check=True, capture_output=True, text=True)
    corpus, card, wrong = model.Corpus(*lists), CARDS[hotel], 0
    got = [json.loads(line) for line in out.stdout.splitlines()]
    assert len(got) == len(lists[0]) * len(lists[1])
    for g in got:
        a, b = lists[0][g["a"]], lists[1][g["b"]]
        lv = model.levels(a, b, corpus, card)
        if lv != g["levels"] or abs(model.bits(lv, card) - g["bits"]) > 1e-6:
            wrong += 1
            if wrong <= 5:
                print(f"{a}\n{b}\n  engine {g['levels']}\n  model  {lv}")
    return wrong, len(got)


def main():
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    r = random.Random(seed)
    total = 0
    with tempfile.TemporaryDirectory() as folder:
        for hotel in (True, False):
            for lists in (hand_made(r), made_up(r, 60), made_up(r, 60)):
                wrong, n = check(sys.argv[1], folder, lists, hotel)
                total += n
                if wrong:
                    sys.exit(f"{wrong} of {n} pairs differ (seed {seed})")
    print(f"{total} pairs, all the same")


if __name__ == "__main__":
    main()
