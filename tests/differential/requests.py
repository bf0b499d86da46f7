"""Requests by the grammar of RFC 9112, and such with slips in them: what two readers may read in two ways. Of each row the first is the
usual one."""
METHODS = (b"POST", b"GET", b"HEAD", b"DELETE", b"OPTIONS", b"PUT", b"PATCH", b"TRACE", b"CONNECT", b"M-SEARCH", b"PRI", b"get")
TARGETS = (b"/a", b"/", b"/a?b=c", b"/a%20b", b"/a/b", b"*", b"http://a/b", b"https://a/b?c", b"a", b"//a", b"/a#b", b"a:80", b"/;a=b", b"/\xc3\xa9")
VERSIONS = (b"HTTP/1.1", b"HTTP/1.0", b"HTTP/1.2", b"HTTP/2.0", b"HTTP/0.9", b"http/1.1", b"HTTP/1.10", b"HTTP/11", b"HTTP/1,1")
HOSTS = (b"Host: a", b"host:a", b"Host: a:80", b"Host: [::1]", b"Host:", b"Host: a b", b"Host: a\r\nHost: b", b"Host : a", b"Host: a/b", b"")
FIELDS = (b"X: y", b"X:", b"X: y z", b"X:\ty\t", b"X: \"y\"", b"X: \xc3\xa9", b"X: y\r\n z", b"X : y", b" X: y", b": y", b"X", b"X\x00: y", b"X: \x00",
          b"X: y\nZ: w", b"X: y\rZ: w", b"X: \x7f", b"X\xa0: y", b"X(: y", b"Connection: close", b"Connection: keep-alive", b"Connection: Close , x",
          b"Connection: Content-Length", b"Expect: 100-continue", b"Expect: x", b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings",
          b"Content-Type: application/json", b"Proxy-Connection: close", b"Trailer: X", b"TE: trailers")
LENGTHS = (
    b"Content-Length: %d", b"content-length:%d", b"Content-Length: 0%d", b"Content-Length: +%d", b"Content-Length: -%d", b"Content-Length: 0x%d", b"Content-Length: %d, %d",
    b"Content-Length: %d\r\nContent-Length: %d", b"Content-Length: %d\r\nContent-Length: 0", b"Content-Length : %d", b"Content-Length: %d ",
    b"Content-Length: %d\t", b"Content-Length: %d.0", b"Content-Length: %de0", b"Content-Length: %d;a", b"Content-Length: 1844674407370955161%d",
    b"Content-Length:\r\n %d", b"Content_Length: %d", b"Content-Length:", b"Content-Length: \x0b%d", b"X: y\r\n\tContent-Length: %d", b"\x00Content-Length: %d")
CODINGS = (
    b"Transfer-Encoding: chunked", b"transfer-encoding:CHUNKED", b"Transfer-Encoding: \tchunked\t", b"Transfer-Encoding: identity", b"Transfer-Encoding: chunked, identity",
    b"Transfer-Encoding: identity, chunked", b"Transfer-Encoding: gzip, chunked", b"Transfer-Encoding: xchunked", b"Transfer-Encoding: chunkedx",
    b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", b"Transfer-Encoding:\r\n chunked",
    b"Transfer-Encoding : chunked", b"Transfer-Encoding: \x0bchunked", b"Transfer-Encoding: \"chunked\"", b"Transfer-Encoding: chunked;q=1",
    b"Transfer-Encoding: chunked,", b"Transfer-Encoding: ,chunked", b"Transfer_Encoding: chunked", b"Transfer-Encoding:", b"Transfer-Encoding\x00: chunked",
    b"X: y\nTransfer-Encoding: chunked", b"X: y\rTransfer-Encoding: chunked", b"Transfer-Encoding: chunked\x00", b"Transfer-Encoding: c\xc4\xb1hunked")
SIZES = (b"%x", b"%X", b"0%x", b"00000000000000000%x", b"0x%x", b"+%x", b"-%x", b"%x ", b" %x", b"%x\t", b"%x.0", b"1000000000000000%x", b"%xg", b"_%x", b"")
EXTENSIONS = (b"", b";", b";a", b";a=b", b";a=\"b\"", b";a=\"\r\n\"", b"; a = b", b" ;a", b";a\n", b";a\rb", b";\x00", b";a;b", b";=", b",", b";a=b\xff", b"\x00")
ENDS = (b"\r\n", b"\n", b"\r", b"\r\r\n", b"\n\r", b"", b" \r\n", b"\r\n\r\n")
TRAILERS = (b"", b"X: y\r\n", b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n", b"Host: b\r\n", b"X : y\r\n", b"X\r\n", b"X: y\n", b"X: y\r\n z\r\n",
                         b"\x00\r\n", b"Connection: close\r\n", b"X: y\r\n\n", b"GET / HTTP/1.1\r\n")
BODIES = (b"", b"{}", b"hello", b"GET /b HTTP/1.1\r\nHost: b\r\n\r\n", b"0\r\n\r\n", b"\r\n", b"\x00\xff", b"{\"a\": [1]}")
BEFORE = (b"", b"\r\n", b"\r\n\r\n", b"\n", b"\r", b" ", b"\x00")
BITS = (b"\r", b"\n", b"\r\n", b"\r\n\r\n", b" ", b"\t", b"\x00", b"\x0b", b"\x0c", b"\x80", b"\xff", b":", b",", b";", b"0", b"5", b"a", b"\"", b"=", b"#", b"chunked",
        b"Content-Length: 3\r\n", b"Transfer-Encoding: chunked\r\n", b"HTTP/1.1", b"0\r\n\r\n", b"GET /b HTTP/1.1\r\nHost: b\r\n\r\n")


def pick(rng, row):
    return row[0] if rng.random() < .88 else rng.choice(row)


def chunks(rng, body):
    text = b""
    pieces = [body] if rng.random() < .6 else [body[:1], body[1:]]
    for piece in [*filter(None, pieces), b""]:
        size = pick(rng, SIZES)
        text += (size % len(piece) if size else b"") + pick(rng, EXTENSIONS) + pick(rng, ENDS)
        text += piece + (pick(rng, ENDS) if piece else b"")
    return text + pick(rng, TRAILERS) + pick(rng, ENDS)


def by_grammar(rng):
    """One request; nearly everything in it is as it should be."""
    body = rng.choice(BODIES)
    fields = [pick(rng, HOSTS), *rng.choices(FIELDS, k=rng.choice((0,) * 8 + (1, 2)))]
    framing = rng.random()
    if framing < .35:
        line = pick(rng, LENGTHS)
        fields.append(line % ((len(body),) * line.count(b"%d")))
    elif framing < .75:
        fields.append(pick(rng, CODINGS))
        body = chunks(rng, body)
    elif framing < .8:
        fields += [pick(rng, CODINGS), b"Content-Length: %d" % len(body)]
        body = chunks(rng, body)
    else:
        body = b""
    rng.shuffle(fields)
    blank, line = (b" ", b"\r\n") if rng.random() < .97 else (rng.choice((b"  ", b"\t", b"\x0b")), pick(rng, ENDS))
    first = blank.join((rng.choice(METHODS[:2] if rng.random() < .8 else METHODS), pick(rng, TARGETS), pick(rng, VERSIONS)))
    return pick(rng, BEFORE) + first + line + b"".join(f + b"\r\n" for f in fields if f) + b"\r\n" + body


def slipped(rng, text):
    """With a slip or a few, wherever."""
    text = bytearray(text)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at, kind = rng.randrange(len(text) + 1), rng.random()
        if kind < .5:
            text[at:at] = rng.choice(BITS)
        elif kind < .7:
            del text[at:at + rng.choice((1, 1, 2, 4))]
        elif kind < .9 and at < len(text):
            text[at] = rng.choice(b"\r\n \t:;,0a5\x00\x80")
        else:
            text[at:at] = text[max(0, at - rng.choice((1, 2, 8, 20))):at]
    return bytes(text)


def one(rng, attacks):
    """What is sent on one connection: some requests, and a last one that tells whether it is read as what it is."""
    kind = rng.random()
    if kind < .4:
        text = b"".join(by_grammar(rng) for _ in range(rng.choice((1, 1, 2))))
    elif kind < .6:
        text = slipped(rng, by_grammar(rng))
    elif kind < .7:
        text = rng.choice(attacks)
    elif kind < .9:
        text = slipped(rng, rng.choice(attacks))
    else:
        text = slipped(rng, rng.choice(attacks) + by_grammar(rng))
    return text + b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
