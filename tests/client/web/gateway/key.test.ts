import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { readKey } from "../../../../client/web/gateway/key.ts";

describe("readKey", () => {
  let folder: string;
  let file: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "kibitz-key-"));
    file = join(folder, "key");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function readFile(text: string): string | undefined {
    writeFileSync(file, text);
    return readKey(file, {});
  }

  it("takes the variable", () => expect(readKey(undefined, { KIBITZ_KEY: "secret" })).toBe("secret"));

  it("takes the file, without the white space around", () => expect(readFile("  secret\n")).toBe("secret"));

  it.each([{}, { KIBITZ_KEY: "" }])("has none in %j", (environment) => {
    expect(readKey("", environment)).toBeUndefined();
  });

  it("names the file that is not there", () => {
    expect(() => readKey(file, {})).toThrow(`the key file ${file} cannot be read (ENOENT)`);
  });

  it("names the file that is empty", () => expect(() => readFile(" \n")).toThrow(`the key file ${file} is empty`));

  it("quotes no key that a header cannot carry", () => {
    expect(() => readFile("one\ntwo")).toThrow(/^the key file \S+ holds something that no key has/);
    expect(() => readKey(undefined, { KIBITZ_KEY: "sch\u00f6n" })).toThrow(
      /^KIBITZ_KEY holds something that no key has[^ö]*$/,
    );
  });

  it("prefers the file, as the command line does", () => {
    writeFileSync(file, "filed");
    expect(readKey(file, { KIBITZ_KEY: "plain" })).toBe("filed");
  });
});
