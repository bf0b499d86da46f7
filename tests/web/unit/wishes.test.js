// What is asked for of a key: of a new one all that is said, of one that is changed only what differs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { wishesOf } from "../../../web/wishes.js";

const KEY = { name: "shop", note: null, role: "registrar", writes: [7], reads: null, expires: "2099-01-31T23:59:59.999Z" };
const SAME = { name: "shop", note: "", role: "registrar", writes: ["7"], reads: [], expires: "2099-01-31" };

const CASES = {
  "nothing was changed": [SAME, KEY, []],
  "a name is taken away": [{ ...SAME, name: "" }, KEY, [["name", "none"]]],
  "a note is given": [{ ...SAME, note: "new" }, KEY, [["note", "new"]]],
  "for ever": [{ ...SAME, expires: "" }, KEY, [["expires", "never"]]],
  "other suppliers, in any order": [{ ...SAME, writes: ["9", "7"], reads: ["7", "9"] }, KEY,
    [["writes", "9"], ["writes", "7"], ["reads", "7"], ["reads", "9"]]],
  "a limit is given, another one taken away": [{ ...SAME, requests_per_second: "5", adds_per_day: "" }, { ...KEY, adds_per_day: 9 },
    [["requests_per_second", "5"], ["adds_per_day", "0"]]],
  "ids become texts": [{ ...SAME, text_ids: true }, { ...KEY, text_ids: false }, [["text_ids", "1"]]],
  "ids are no longer texts": [{ ...SAME, text_ids: false }, { ...KEY, text_ids: true }, [["text_ids", "0"]]],
  "ids of a new key as they are": [{ ...SAME, text_ids: false }, null, [["name", "shop"], ["role", "registrar"], ["expires", "2099-01-31"], ["writes", "7"]]],
  "all suppliers": [{ ...SAME, writes: [] }, KEY, [["writes", "all"]]],
  "what such a key cannot have is not said": [{ name: "form", note: "", role: undefined, writes: undefined, reads: undefined, expires: "" }, null,
    [["name", "form"]]],
  "a new one": [{ name: "", note: "", role: "reader", writes: [], reads: ["9"], expires: "2099-01-31" }, null,
    [["role", "reader"], ["expires", "2099-01-31"], ["reads", "9"]]],
};

for (const [name, [values, key, wishes]] of Object.entries(CASES)) test(name, () => assert.deepEqual(wishesOf(values, key), wishes));
