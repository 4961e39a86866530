import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { GetServerInfoResponseSchema } from "../../../../../client/web/generated/kibitz/v1/analysis_pb.ts";
import { Connection } from "../../../../../client/web/page/rpc/connection.ts";

describe("Connection", () => {
  let up: boolean;
  let asked: number;
  let connection: Connection;

  beforeEach(() => {
    vi.useFakeTimers();
    [up, asked] = [true, 0];
    connection = new Connection(async () => {
      asked++;
      if (!up) throw new ConnectError("gone", Code.Unavailable);
      return create(GetServerInfoResponseSchema, { version: "Kibitz" });
    });
  });
  afterEach(() => void vi.useRealTimers());

  it("is ready when the server answers", async () => {
    expect(connection.state.value.kind).toBe("connecting");
    await connection.establish();
    expect(connection.state.value.kind).toBe("ready");
    expect(connection.info.value?.version).toBe("Kibitz");
  });

  it("asks again, ever more slowly, until the server is back", async () => {
    up = false;
    const established = connection.establish();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(connection.state.value.kind).toBe("gone");
    expect(asked).toBeGreaterThan(5);
    expect(asked).toBeLessThan(12);
    up = true;
    await vi.advanceTimersByTimeAsync(5000);
    await established;
    expect(connection.state.value.kind).toBe("ready");
  });

  it("asks once more when it is told to, and notices that the server is gone", async () => {
    await connection.refresh();
    expect(asked).toBe(0);
    await connection.establish();
    await connection.refresh();
    expect(asked).toBe(2);
    up = false;
    await connection.refresh();
    expect(connection.state.value.kind).toBe("gone");
    up = true;
    await vi.advanceTimersByTimeAsync(5000);
    expect(connection.state.value.kind).toBe("ready");
  });

  it("believes whoever notices that the server is gone, and asks once at a time", async () => {
    await connection.establish();
    up = false;
    for (let count = 0; count < 10; count++) connection.reportGone();
    expect(connection.state.value.kind).toBe("gone");
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toBe(2);
    let back = false;
    void connection.ready().then(() => (back = true));
    await vi.advanceTimersByTimeAsync(400);
    expect(back).toBe(false);
    up = true;
    await vi.advanceTimersByTimeAsync(2000);
    expect(back).toBe(true);
  });
});
