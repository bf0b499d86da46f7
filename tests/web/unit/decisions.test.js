// The decisions of the queue without a browser: what is sent, what comes back, what is taken back, and what others do meanwhile.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerIsLost, begin, gate, isLost, refuses, turn, Window } from "./fake.js";

const N = i => ({ adapter_id: 3, kind: "hotel", id: `N-${i}` });
const sent = server => server.requests.filter(r => r.path === "decide").map(r => r.body.decisions);
const keys = server => server.requests.filter(r => r.path === "decide").map(r => r.key);

/* ---- many at once ---- */

test("one answer maps all that are called the same, in one batch, which is taken back whole", async () => {
  const { server, page, decisions } = await begin(4);
  server.decide({ ...N(3), decide: "not_same", dict_id: 101 });
  const alike = server.alike("3/hotel/N-0").map(it => it.id);
  await decisions.mapAlike();
  assert.deepEqual(sent(server).map(list => list.map(d => [d.id, d.decide, d.dict_id])), [alike.map(id => [id, "map", 101])]);
  assert.ok(alike.length > 1 && alike.every(id => server.case({ ...N(0), id }).dict_id === 101));
  assert.ok(alike.every(id => !page.list.ids.includes(id)));
  await decisions.undo();
  assert.deepEqual(server.requests.filter(r => r.path === "batchUndo").length, 1);
  assert.equal(sent(server).length, 1);
  assert.ok(alike.every(id => server.case({ ...N(0), id }).dict_id === null && page.list.ids.includes(id)));
});

test("of what is called the same only what is as likely, and what nothing contradicts, is mapped unseen", async () => {
  const { server, page, decisions } = await begin(6);
  server.says(N(1), "veto_far", 0.99);
  server.says(N(2), "ambiguous", 0.89);
  server.says(N(3), "ambiguous", 0.9);
  await decisions.mapAlike();
  assert.deepEqual(sent(server).map(list => list.map(d => [d.id, d.above])), [[["N-0", undefined], ["N-3", 0.9], ["N-4", 0.9], ["N-5", 0.9]]]);
  assert.match(page.said, /^4 decided: .* 1 left out: something contradicts them\. 1 left out: less likely than 90 %\./);
  assert.deepEqual(page.list.ids, ["N-1", "N-2"]);
});

test("95 % is enough for what is called the same, however likely the case that was looked at is", async () => {
  const { server, decisions } = await begin(3);
  server.says(N(0), "ambiguous", 0.995);
  server.says(N(1), "ambiguous", 0.96);
  await decisions.mapAlike();
  assert.deepEqual(sent(server).map(list => list.map(d => [d.id, d.above])), [[["N-0", undefined], ["N-1", 0.95]]]);
});

test("of a kind without probabilities all that is called the same is mapped", async () => {
  const { server, decisions } = await begin(3, "meal");
  for (const i of [0, 1, 2]) server.says({ ...N(i), kind: "meal" }, "unclear", null);
  await decisions.mapAlike();
  assert.deepEqual(sent(server).map(list => list.map(d => [d.id, d.above])), [[["N-0", undefined], ["N-1", 0], ["N-2", 0]]]);
});

test("a refusal for another reason than a change by others says what the server said", async () => {
  const { server, page, decisions } = await begin(2), version = server.case(N(0)).version;
  const refused = { status: 409, result: "refused", reason: "changed_since", message: "it is mapped to 505317", version };
  server.next("decide", { before: () => ({ ok: true, status: 200, headers: new Map(), json: async () => ({ data: { batch: null, items: [refused] } }) }) });
  await decisions.makeRecord();
  assert.equal(page.said, "it is mapped to 505317");
});

/** The server refuses to make a record of these: something else of its name is nearby. */
const nearby = items => ({ before: () => ({ ok: true, status: 200, headers: new Map(), json: async () => ({ data: { batch: null, items: items() } }) }) });
const NEAR = [{ kind: "hotel", dict_id: 505317, adapter_id: null, adapter: null, id: null, name: "House 0", metres: 120 }];
const refusedNear = it => ({ status: 409, result: "refused", reason: "needs_a_look", message: "something else", version: it.version, nearby: NEAR });

test("of a new record it is asked where something else of its name is nearby, and n once more makes it", async () => {
  const { server, page, decisions } = await begin(2);
  server.next("decide", nearby(() => [refusedNear(server.case(N(0)))]));
  await decisions.makeRecord();
  assert.match(page.said, /^House 0 is not made yet: something else of that name is nearby/);
  await page.show();
  assert.deepEqual([page.list.ids, page.shown], [["N-0", "N-1"], "N-0"]);
  assert.deepEqual((await page.cases.get(N(0))).nearby, NEAR);
  await decisions.makeRecord();
  assert.deepEqual(sent(server).map(([d]) => [d.decide, d.alone]), [["new", true], ["new", undefined]]);
  assert.ok(server.case(N(0)).dict_id > 1000);
});

test("of several new records those wait that have their name nearby, and no key makes them unseen", async () => {
  const { server, page, decisions } = await begin(3);
  for (const i of [0, 1, 2]) page.list.picked.add(`3/hotel/N-${i}`);
  server.next("decide", nearby(() => [refusedNear(server.case(N(0))), server.decide({ ...N(1), decide: "new" }), refusedNear(server.case(N(2)))]));
  await decisions.makeRecords();
  assert.match(page.said, /^2 are not made yet: something else of their name is nearby/);
  assert.deepEqual(page.list.ids.sort(), ["N-0", "N-2"]);
  for (const i of [0, 2]) page.list.picked.add(`3/hotel/N-${i}`);
  server.next("decide", nearby(() => [refusedNear(server.case(N(0))), refusedNear(server.case(N(2)))]));
  await decisions.makeRecords();
  assert.ok(sent(server).flat().every(d => d.alone));
});

test("what was accepted at once is the last that u takes back, whole", async () => {
  const { server, page, decisions } = await begin(3);
  await decisions.mapTo(0);
  decisions.accepted({ batch: 77 });
  await decisions.undo();
  assert.deepEqual(server.requests.filter(r => r.path === "batchUndo").map(r => r.body), [{ batch: 77 }]);
  assert.match(page.messages.at(-1), /^Undone: first suggestions accepted/);
});

/* ---- sending ---- */

test("the next case is shown before the decision is stored", async () => {
  const { server, page, decisions } = await begin(3), answer = gate();
  server.next("decide", { before: () => answer.opened });
  const over = decisions.mapTo(1);
  assert.deepEqual([page.list.ids, page.shown], [["N-1", "N-2"], "N-1"]);
  assert.equal(server.case(N(0)).dict_id, null);
  answer.open();
  await over;
  assert.deepEqual(sent(server), [[{ ...N(0), version: 1, decide: "map", dict_id: 102 }]]);
  assert.equal(server.case(N(0)).dict_id, 102);
  assert.equal(page.said, "Decided: mapped. House 0. Press u to undo.");
});

test("a case that is not drawn yet is not decided, nor by a viewer, nor when the list has just moved", async () => {
  const { server, page, decisions } = await begin(2);
  page.list.select(1);
  await decisions.mapTo(0);
  assert.deepEqual(page.messages, []);
  await turn();
  page.held = true;
  await decisions.mapTo(0);
  assert.equal(page.said, "The list has just moved. Look again.");
  page.held = false;
  page.mayDecide = false;
  await decisions.makeRecord();
  assert.match(page.said, /^Your role is viewer/);
  page.mayDecide = true;
  await decisions.mapTo(7);
  assert.equal(page.said, "There is nothing to decide so.");
  assert.deepEqual([sent(server), page.list.ids], [[], ["N-0", "N-1"]]);
});

test("a case that is seen to be mapped goes, and is not decided", async () => {
  const { server, page, decisions } = await begin(2);
  server.decide({ ...N(1), decide: "map", dict_id: 5 });
  page.list.select(1);
  await turn();
  await decisions.mapTo(0);
  assert.equal(page.said, "Somebody else has decided this. Look again.");
  assert.deepEqual([sent(server), page.list.ids, page.moved], [[], ["N-0"], 1]);
});

test("of the selected what has changed is left, and is counted", async () => {
  const { server, page, decisions } = await begin(4);
  for (const i of [0, 1, 2]) page.list.picked.add(`3/hotel/N-${i}`);
  server.decide({ ...N(1), decide: "not_same", dict_id: 7 });
  await decisions.mapEach();
  assert.deepEqual(sent(server).map(list => list.map(d => [d.id, d.dict_id])), [[["N-0", 101], ["N-2", 101]]]);
  assert.match(page.said, /^2 decided: each is its first candidate\. 1 of the selected left/);
  assert.deepEqual(page.list.ids, ["N-1", "N-3"]);
});

test("what is selected is fetched once, and what was unselected meanwhile is not decided", async () => {
  const { server, page, decisions } = await begin(3), answer = gate();
  server.next("case", { before: () => answer.opened });
  page.list.picked.add("3/hotel/N-2");
  const over = decisions.makeRecords();
  await decisions.makeRecords();
  assert.match(page.said, /still being looked at/);
  page.list.picked = new Set();
  answer.open();
  await over;
  assert.deepEqual([page.said, sent(server)], ["What was selected no longer is: nothing of it was decided.", []]);
});

/* ---- refused, lost ---- */

test("a version that is over is refused: what somebody else mapped is gone, what is a case still comes back", async () => {
  const { server, page, decisions } = await begin(3);
  server.decide({ ...N(0), decide: "map", dict_id: 5 });
  await decisions.mapTo(0);
  assert.equal(page.said, "House 0 was changed by somebody else meanwhile: what you decided is not stored.");
  assert.deepEqual([server.case(N(0)).dict_id, page.list.ids], [5, ["N-1", "N-2"]]);
  await turn();
  server.decide({ ...N(1), decide: "not_same", dict_id: 101 });
  await decisions.makeRecord();
  assert.deepEqual([server.case(N(1)).dict_id, page.list.ids, page.shown, page.moved], [null, ["N-1", "N-2"], "N-1", 1]);
  await decisions.undo();
  assert.equal(page.said, "There is nothing of yours to undo on this page.");
});

test("what was so already is nothing to take back", async () => {
  const { server, page, decisions } = await begin(2);
  server.next("decide", { before: ({ body: { decisions: [decision] } }) => {
    decision.version = server.decide({ ...N(0), decide: "map", dict_id: 101 }).version;
  } });
  await decisions.mapTo(0);
  assert.equal(page.said, "It was so already: mapped.");
  await decisions.undo();
  assert.equal(page.said, "There is nothing of yours to undo on this page.");
});

test("without a connection it is sent three times and comes back", async () => {
  const { server, page, decisions } = await begin(2);
  for (let i = 0; i < 3; i++) server.next("decide", isLost);
  await decisions.mapTo(0);
  assert.deepEqual(page.waits, [500, 1000]);
  assert.equal(new Set(keys(server)).size, 1);
  assert.deepEqual([page.errors, page.list.ids, page.shown], [["Failed to fetch"], ["N-0", "N-1"], "N-0"]);
  await decisions.undo();
  assert.equal(page.said, "There is nothing of yours to undo on this page.");
});

test("an answer that was lost is asked for again: it was decided once", async () => {
  const { server, page, decisions } = await begin(2);
  server.next("decide", answerIsLost);
  await decisions.mapTo(0);
  const [first, second] = keys(server);
  assert.ok(first && first === second);
  assert.equal(page.said, "Decided: mapped. House 0. Press u to undo.");
  assert.equal(server.changes().length, 1);
});

test("an answer that never comes, though it was stored: the case comes back until the feed tells of it", async () => {
  const { server, page, decisions } = await begin(2);
  for (let i = 0; i < 3; i++) server.next("decide", answerIsLost);
  await decisions.mapTo(0);
  assert.deepEqual(page.list.ids, ["N-0", "N-1"]);
  await page.follow();
  assert.deepEqual(page.list.ids, ["N-1"]);
});

/* ---- taking back ---- */

test("decisions are taken back one after the other, the last first", async () => {
  const { server, page, decisions } = await begin(3), answer = gate();
  await decisions.mapTo(0);
  await turn();
  await decisions.mapTo(1);
  server.next("decide", { before: () => answer.opened });
  decisions.undo();
  const over = decisions.undo();
  await turn();
  assert.equal(sent(server).length, 3); // the second waits for the first
  answer.open();
  await over;
  assert.deepEqual(sent(server).slice(2).map(([d]) => [d.id, d.decide]), [["N-1", "undo"], ["N-0", "undo"]]);
  assert.deepEqual([server.list.length, page.said], [3, "Undone: mapped."]);
  assert.deepEqual((await page.cases.get(N(0))).candidates.map(c => c.id), [101, 102]); // those of before
});

test("an undo waits for the decision that is on its way", async () => {
  const { server, decisions } = await begin(2), answer = gate();
  server.next("decide", { before: () => answer.opened });
  decisions.mapTo(0);
  const over = decisions.undo();
  await turn();
  assert.equal(sent(server).length, 1);
  answer.open();
  await over;
  assert.deepEqual([server.case(N(0)).dict_id, sent(server).length], [null, 2]);
});

test("of one case all decisions can be taken back, in their order", async () => {
  const { server, page, decisions } = await begin(1);
  await decisions.refuse(0);
  assert.deepEqual([page.list.ids, server.case(N(0)).not_same], [["N-0"], [101]]); // it is a case still
  await turn();
  await decisions.refuse(1);
  await turn();
  await decisions.mapToRecord(9);
  await Promise.all([decisions.undo(), decisions.undo(), decisions.undo()]);
  assert.deepEqual(sent(server).slice(3).map(([d]) => [d.decide, d.dict_id]),
    [["undo", undefined], ["undo_not_same", 102], ["undo_not_same", 101]]);
  assert.deepEqual([server.case(N(0)).dict_id, server.case(N(0)).not_same, page.list.ids], [null, [], ["N-0"]]);
});

test("a new record is taken back with its batch, and is a case again as soon as that is seen", async () => {
  const { server, page, decisions } = await begin(2);
  await decisions.makeRecord();
  const old = server.case(N(0)), now = server.case.bind(server);
  let late = 2;
  server.case = it => (late-- > 0 ? old : now(it));
  await decisions.undo();
  assert.deepEqual(page.waits, [100, 100]);
  assert.deepEqual(server.requests.filter(r => r.path === "batchUndo").length, 1);
  assert.deepEqual([page.list.ids, page.shown, page.said], [["N-0", "N-1"], "N-0", "Undone: new in the reference."]);
});

test("what was decided before a new record was made, and taken back, can be taken back too", async () => {
  const { server, page, decisions } = await begin(2);
  await decisions.refuse(0);
  await turn();
  await decisions.makeRecord();
  await Promise.all([decisions.undo(), decisions.undo()]);
  assert.deepEqual([page.said, server.case(N(0)).dict_id, server.case(N(0)).not_same], ["Undone: not the same.", null, []]);
});

test("a hundred decisions can be taken back, and no more", async () => {
  const { server, page, decisions } = await begin(102);
  for (let i = 0; i < 101; i++) {
    await decisions.mapTo(0);
    await turn();
  }
  for (let i = 0; i < 101; i++) await decisions.undo();
  assert.equal(page.said, "There is nothing of yours to undo on this page.");
  assert.deepEqual([server.case(N(0)).dict_id, server.list.length], [101, 101]);
});

test("a mapped case that a link names can be decided anew, and comes back as it was", async () => {
  const { server, page, decisions } = await begin(2);
  server.decide({ ...N(0), decide: "map", dict_id: 5 });
  page.list.current.linked = true;
  page.cases.clear();
  await page.show();
  await page.follow([]);
  await decisions.mapToRecord(7);
  assert.deepEqual([server.case(N(0)).dict_id, page.list.ids], [7, ["N-1"]]);
  await decisions.undo();
  await page.follow(server.changes());
  assert.deepEqual([server.case(N(0)).dict_id, page.list.ids, page.shown], [5, ["N-0", "N-1"], "N-0"]);
});

test("an undo that was refused is not tried again, one that nobody answered is", async () => {
  const { server, page, decisions } = await begin(2);
  await decisions.mapTo(0);
  server.next("decide", refuses(503, "store_away"));
  await decisions.undo();
  assert.deepEqual([page.errors, server.case(N(0)).dict_id], [["no: store_away"], 101]);
  await decisions.undo();
  assert.equal(server.case(N(0)).dict_id, null);
  await turn();
  await decisions.mapTo(0);
  server.next("decide", refuses(422, "not_processable"));
  await decisions.undo();
  await decisions.undo();
  assert.deepEqual([page.said, server.case(N(0)).dict_id], ["There is nothing of yours to undo on this page.", 101]);
});

test("a case that comes back is not put under the next key of who has gone on", async () => {
  const { server, page, decisions } = await begin(3), answer = gate();
  await decisions.mapTo(0);
  server.next("decide", { before: () => answer.opened });
  const over = decisions.undo();
  await turn();
  page.list.select(1);
  answer.open();
  await over;
  assert.deepEqual([page.list.ids, page.shown], [["N-1", "N-0", "N-2"], "N-2"]);
});

test("what somebody else changed since is not taken back", async () => {
  const { server, page, decisions } = await begin(2);
  await decisions.mapTo(0);
  server.decide({ ...N(0), decide: "map", dict_id: 5 });
  await decisions.undo();
  assert.deepEqual([page.said, server.case(N(0)).dict_id, page.list.ids], ["no: changed_since", 5, ["N-1"]]);
});

/* ---- what others do ---- */

test("what the feed tells of one's own decision changes nothing, however late", async () => {
  const { server, page, decisions } = await begin(3);
  await decisions.mapTo(0);
  const ofMapping = server.changes();
  await decisions.undo();
  const { drawn, moved } = page;
  await page.follow(ofMapping);       // it was mapped, and is no longer
  await page.follow();
  assert.deepEqual([page.list.ids, page.shown, page.drawn, page.moved], [["N-0", "N-1", "N-2"], "N-0", drawn, moved]);
  await decisions.mapTo(1);
  assert.equal(server.case(N(0)).dict_id, 102); // it was no other version
});

test("one's own decisions, told by the feed, cost no requests but for a case that is shown or kept", async () => {
  const { server, page, decisions } = await begin(4);
  await decisions.mapTo(0);
  await turn();
  await decisions.mapTo(0);
  await decisions.undo();
  page.list.select(1);
  await turn();
  page.cases.clear();
  const before = server.requests.length;
  await page.follow();
  assert.equal(server.requests.length, before);
});

test("a case that is decided here again, while it is looked at, is not taken for changed by others", async () => {
  const { server, page, decisions } = await begin(2), answer = gate();
  await decisions.mapTo(0);
  await decisions.undo();
  await turn();
  const { moved } = page;
  server.next("case", { before: () => answer.opened });
  const followed = page.follow();
  await turn();
  await decisions.refuse(1);
  answer.open();
  await followed;
  assert.deepEqual([page.moved, page.shown], [moved, "N-0"]);
});

test("what the feed tells while an answer is on its way waits for it", async () => {
  const { server, page, decisions } = await begin(2), answer = gate();
  for (let i = 0; i < 2; i++) server.next("decide", answerIsLost);
  server.next("decide", { after: () => answer.opened.then(answerIsLost.after) });
  const over = decisions.mapTo(0);
  await turn();
  const followed = page.follow();
  await turn();
  answer.open();
  await over;
  await followed;
  assert.deepEqual([page.errors, page.list.ids], [["Failed to fetch"], ["N-1"]]); // it came back, and went
});

test("a case that was just decided here is gone when somebody else maps it", async () => {
  const { server, page, decisions } = await begin(2);
  await decisions.refuse(0);
  server.decide({ ...N(0), decide: "map", dict_id: 5 });
  await page.follow();
  assert.deepEqual([page.list.ids, page.shown, page.moved], [["N-1"], "N-1", 1]);
});

test("both decisions in one look at the feed: that of somebody else is noticed", async () => {
  const { server, page, decisions } = await begin(2);
  await decisions.mapTo(0);
  await decisions.undo();
  await turn();
  server.decide({ ...N(0), decide: "not_same", dict_id: 101 });
  const { moved } = page;
  await page.follow();
  assert.equal(page.moved, moved + 1);
  await decisions.makeRecord();       // what can be seen is the case as it is now
  assert.notEqual(server.case(N(0)).dict_id, null);
});

test("without an answer about the case the feed is believed", async () => {
  const { server, page, decisions } = await begin(2);
  await decisions.refuse(0);
  server.decide({ ...N(0), decide: "map", dict_id: 5 });
  server.next("case", isLost);
  await page.follow();
  assert.deepEqual(page.list.ids, ["N-1"]);
});

test("without an answer about the case one's own decision, told late, is not that of somebody else", async () => {
  const { server, page, decisions } = await begin(2);
  await decisions.mapTo(0);
  const ofMapping = server.changes();
  server.next("case", isLost);
  await decisions.undo();
  server.next("case", isLost);
  await page.follow(ofMapping);       // it was mapped, and is no longer
  assert.deepEqual([page.list.ids, page.shown], [["N-0", "N-1"], "N-0"]);
});

test("two windows: each sees what the other decides, and decides nothing that is over", async () => {
  const { server, page: anna } = await begin(3), boris = new Window(server);
  await boris.show();
  await anna.decisions.mapTo(0);
  await boris.decisions.mapTo(1);     // before the feed told of it
  assert.match(boris.said, /was changed by somebody else meanwhile/);
  assert.deepEqual([server.case(N(0)).dict_id, boris.list.ids], [101, ["N-1", "N-2"]]);
  await Promise.all([anna.follow(), boris.follow()]);
  assert.deepEqual([anna.list.ids, boris.list.ids], [["N-1", "N-2"], ["N-1", "N-2"]]);
  await boris.decisions.refuse(0);    // of this the feed does not tell
  await anna.decisions.mapTo(1);
  assert.match(anna.said, /was changed by somebody else meanwhile/);
  await turn();
  await anna.decisions.mapTo(1);      // the case as boris left it
  assert.equal(server.case(N(1)).dict_id, 102);
  await Promise.all([anna.follow(), boris.follow()]);
  assert.deepEqual([anna.list.ids, boris.list.ids], [["N-2"], ["N-2"]]);
  await anna.decisions.undo();
  assert.equal(server.case(N(1)).dict_id, null);
  await boris.decisions.undo();       // the case is of another version than boris left it
  assert.deepEqual([boris.said, server.case(N(1)).not_same], ["no: changed_since", [101]]);
});
