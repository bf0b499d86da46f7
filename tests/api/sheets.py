"""Lists as suppliers send them, made for the tests: workbooks by xlsxwriter, and by hand as other programs write them."""
import random
import struct
import zipfile
import zlib

import xlsxwriter

HEADER = ["Hotel Code", "Hotel Name", "Country Code", "Country", "City Code", "City", "Latitude", "Phone"]
CONTENT = ('<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>')
RELS = ('<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">%s'
        '</Relationships>')
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def hotel(n, **changes):
    row = dict(zip(HEADER, [f"H{n}", f"Hotel {n}", "TR", "Turkey", "500", "Kemer", 36.5, f"+90 {n}"]))
    row.update(changes)
    return list(row.values())


def rows(n, start=0):
    return [hotel(start + i) for i in range(n)]


def workbook(path, table, sheets=(), header=HEADER):
    """A workbook of one sheet, "Hotels"; `sheets` has (name, rows) of more."""
    book = xlsxwriter.Workbook(str(path))
    for name, lines in [("Hotels", [header, *table]), *sheets]:
        sheet = book.add_worksheet(name)
        for r, line in enumerate(lines):
            for c, cell in enumerate(line):
                if cell is not None:
                    sheet.write(r, c, cell)
    book.close()
    return path


def by_hand(path, sheet_data, shared=None, styles=None, prefix="", doctype="", after=""):
    """An .xlsx of few parts, as programs other than Excel write it. `sheet_data` is what stands in <sheetData>."""
    p = prefix + ":" if prefix else ""
    ns = f'xmlns{":" + prefix if prefix else ""}="{MAIN}"'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        z.writestr("[Content_Types].xml", CONTENT)
        z.writestr("xl/workbook.xml", f'<?xml version="1.0"?>{doctype}<workbook xmlns="{MAIN}" xmlns:r="http://r">'
                   '<sheets><sheet name="List" sheetId="1" r:id="rId1"/></sheets></workbook>')
        z.writestr("xl/_rels/workbook.xml.rels", RELS % '<Relationship Id="rId1" Target="/xl/worksheets/sheet1.xml"/>')
        if shared is not None:
            z.writestr("xl/sharedStrings.xml", f'<sst xmlns="{MAIN}">{shared}</sst>')
        if styles is not None:
            z.writestr("xl/styles.xml", f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>')
        z.writestr("xl/worksheets/sheet1.xml",
                   f"<{p}worksheet {ns}><{p}sheetData>{sheet_data}</{p}sheetData>{after}</{p}worksheet>")
    return path


def inline(*cells, prefix=""):
    """A row of inline texts, without references: <row><c t="inlineStr">..."""
    p = prefix + ":" if prefix else ""
    return f"<{p}row>" + "".join(f'<{p}c t="inlineStr"><{p}is><{p}t>{c}</{p}t></{p}is></{p}c>' for c in cells) + f"</{p}row>"


def csv_text(table, separator=",", header=HEADER):
    return "".join(separator.join(str(c) for c in line) + "\r\n" for line in [header, *table])


def encrypted():
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4096)


def repeated(head, chunk, times, tail=b""):
    """head, chunk as often as said, tail, as raw deflate: gigabytes in a moment."""
    def packed(data, end=zlib.Z_FULL_FLUSH):
        c = zlib.compressobj(9, zlib.DEFLATED, -15)
        return c.compress(data) + c.flush(end)
    return packed(head) + packed(chunk) * times + packed(tail, zlib.Z_FINISH)


def archive(parts):
    """A zip archive of parts {name: (raw deflate, size, checksum)}."""
    out = central = b""
    for name, (packed, size, checksum) in parts.items():
        fixed = struct.pack("<HHHHHIII", 20, 0, 8, 0, 0, checksum, len(packed), size)
        central += (b"PK\1\2" + struct.pack("<H", 20) + fixed + struct.pack("<HHHHHII", len(name), 0, 0, 0, 0, 0, len(out))
                    + name.encode())
        out += b"PK\3\4" + fixed + struct.pack("<HH", len(name), 0) + name.encode() + packed
    return out + central + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, len(parts), len(parts), len(central), len(out), 0)


SHEET, SHARED = "xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"


def part(text):
    data = text.encode()
    return repeated(data, b"", 0), len(data), zlib.crc32(data)


def endless(head, block, times):
    """A part that begins with head and goes on with blocks. Nobody comes to its end, where its checksum would be found to be wrong."""
    return repeated(head.encode(), block, times), len(head) + len(block) * times, 0


BOOK = {"xl/workbook.xml": part(f'<workbook xmlns="{MAIN}" xmlns:r="http://r"><sheets><sheet name="List" r:id="r1"/></sheets></workbook>'),
        "xl/_rels/workbook.xml.rels": part(RELS % '<Relationship Id="r1" Target="worksheets/sheet1.xml"/>')}


def bomb(path, megabytes):
    """A sheet of megabytes of blanks in a few kilobytes."""
    path.write_bytes(archive({**BOOK, SHEET: endless(f'<worksheet xmlns="{MAIN}"><sheetData>', b" " * (1 << 20), megabytes)}))
    return path


def huge(name, head, chunk, megabytes):
    """A workbook one part of which begins with head and is then chunks without end, a hundred and fifty times as large as it is
    packed: less than what looks like a bomb."""
    noise = random.Random(1).randbytes(4200).hex()
    block = (f"<!--{noise}-->" + chunk * (((1 << 20) - len(noise)) // len(chunk))).encode()
    return archive({
        **BOOK, SHEET: part(f'<worksheet xmlns="{MAIN}"><sheetData>{inline("Code", "Name")}{inline("1", "A")}</sheetData></worksheet>'),
        name: endless(head, block, megabytes)})


def endless_row(megabytes):
    return huge(SHEET, f'<worksheet xmlns="{MAIN}"><sheetData><row>', "<c/>", megabytes)


def many_texts(text, megabytes):
    return huge(SHARED, f'<sst xmlns="{MAIN}">', f"<si><t>{text}</t></si>", megabytes)
