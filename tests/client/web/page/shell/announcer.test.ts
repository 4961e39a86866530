import { describe, expect, it } from "vitest";

import { Announcer, speakSan } from "../../../../../client/web/page/shell/announcer.ts";

describe("speakSan", () => {
  it.each([
    ["e4", "e4"],
    ["Nf3+", "knight f3, check"],
    ["Nbxd7", "knight b takes d7"],
    ["exd8=Q#", "e takes d8 becomes queen, checkmate"],
    ["O-O", "castles short"],
    ["O-O-O+", "castles long, check"],
  ])("reads %s aloud", (san, words) => expect(speakSan(san)).toBe(words));
});

describe("Announcer", () => {
  it("makes the same words twice two announcements", () => {
    const announcer = new Announcer();
    announcer.say("check");
    const first = announcer.words.value;
    announcer.say("check");
    expect(announcer.words.value).not.toEqual(first);
  });
});
