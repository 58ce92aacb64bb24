import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { OtherHost } from "../../../test/harness/other-host.ts";
import { OutboundHttp } from "../../platform/outbound-http/outbound-http.ts";
import { type FetchOptions, fetchOutside } from "./fetch.ts";
import { FetchTurns, type TurnLimits } from "./turns.ts";

const ORGANIZATION = 1;

let host: OtherHost;
beforeAll(async () => {
  host = await OtherHost.start();
});
afterAll(() => host.stop());
beforeEach(() => {
  host.asked.length = 0;
});

/** Names and the addresses that they have here. */
const names: Record<string, string[]> = {
  "inside.example": ["10.1.2.3"],
  "mixed.example": ["127.0.0.1", "10.1.2.3"],
  "open.example": ["127.0.0.1"],
  "xn--bcher-kva.example": ["127.0.0.1"],
};

function parts(limits?: TurnLimits) {
  const outbound = new OutboundHttp({
    allowed: ["127.0.0.1"],
    resolve: async (name) => names[name] ?? Promise.reject(new Error("unknown name")),
  });
  const isOwnHost = async (name: string) => name === "chat.example";
  return { outbound, turns: new FetchTurns(limits), isOwnHost };
}

const options: FetchOptions = {
  accept: "text/plain",
  hasType: (type) => type === "text/plain",
  maxBytes: 1000,
  isCut: false,
  headMs: 20_000,
  timeoutMs: 20_000,
  isInBackground: false,
};

const get = (url: string, change: Partial<FetchOptions> = {}) =>
  fetchOutside(parts(), ORGANIZATION, url, { ...options, ...change });

async function expectFailure(work: Promise<unknown>, failure: string): Promise<void> {
  await expect(work).rejects.toMatchObject({ failure });
}

describe("a redirect", () => {
  test("is followed three times, also to another name, and not a fourth time", async () => {
    host.serve("/end", "text/plain", "there");
    host.redirect("/1", `http://open.example:${host.port}/end`, 301);
    host.redirect("/2", "/1", 307);
    host.redirect("/3", host.url("/2"), 308);
    host.redirect("/4", "/3");
    const found = await get(host.url("/3"));
    expect([found.body.toString(), found.url]).toEqual(["there", `http://open.example:${host.port}/end`]);
    await expectFailure(get(host.url("/4")), "redirect");
  });

  test.each([
    ["a closed address", "http://10.1.2.3/", "blocked"],
    ["the services of a cloud", "http://169.254.169.254/latest/meta-data/", "blocked"],
    ["a closed address inside IPv6", "http://[::ffff:10.1.2.3]/", "blocked"],
    ["a name with a closed address", "http://inside.example/", "blocked"],
    ["a name with an open and a closed address", "http://mixed.example/", "blocked"],
    ["this server", "http://chat.example/private", "blocked"],
    ["a file", "file:///etc/passwd", "bad-address"],
    ["a script", "javascript:alert(1)", "bad-address"],
    ["an address with a password", "http://me:secret@open.example/", "bad-address"],
    ["nothing that is an address", "http://[", "redirect"],
  ])("to %s fails", async (_, to, failure) => {
    await expectFailure(get(host.redirect("/away", to)), failure);
    expect(host.asked).toEqual(["/away"]);
  });

  test("that leads in a circle ends", async () => {
    await expectFailure(get(host.redirect("/circle", "/circle")), "redirect");
    expect(host.count("/circle")).toBe(4);
  });

  test("without a place to go fails", async () => {
    host.on("/nowhere", (__, response) => response.writeHead(302).end());
    await expectFailure(get(host.url("/nowhere")), "redirect");
  });
});

describe("an address", () => {
  test.each([
    ["http://[::ffff:127.0.0.1]", "is judged by the address inside, which is open here"],
    ["http://2130706433", "may be written as a number"],
    ["http://0x7f.1", "may be written in other ways"],
    ["http://bücher.example", "may be a name in any script"],
    ["http://OPEN.example.", "of a name that ends with a dot is unknown here"],
  ])("%s %s", async (start, title) => {
    host.serve("/end", "text/plain", "there");
    const work = get(`${start}:${host.port}/end`);
    if (title.includes("unknown")) await expectFailure(work, "unreachable");
    // A connection to the IPv6 form of an IPv4 address works where the machine has IPv6.
    else if (start.includes("::")) await work.catch((error) => expect(error.failure).toBe("unreachable"));
    else expect((await work).body.toString()).toBe("there");
  });

  test.each([
    ["http://[::ffff:10.0.0.1]/", "blocked"],
    ["http://[::ffff:a9fe:a9fe]/", "blocked"],
    ["http://167772161/", "blocked"],
    ["http://0/", "blocked"],
    ["http://[fd00:ec2::254]/", "blocked"],
    ["http://chat.example/", "blocked"],
    ["http://CHAT.example:8080/", "blocked"],
    ["http://user@open.example/", "bad-address"],
    ["http://user:secret@open.example/", "bad-address"],
    ["ftp://open.example/", "bad-address"],
    ["data:text/plain,a", "bad-address"],
    ["http://open.example:1/", "unreachable"],
    ["http://nobody.example/", "unreachable"],
  ])("%s is %s", async (url, failure) => {
    await expectFailure(get(url), failure);
    expect(host.asked).toEqual([]);
  });
});

describe("an answer", () => {
  test("that has no end is given up, or cut, by what really arrived", async () => {
    const url = host.drip("/endless", "text/plain", Buffer.alloc(100, "a"), 1);
    await expectFailure(get(url), "too-large");
    expect((await get(url, { isCut: true })).body).toHaveLength(1000);
  });

  test("that is longer than it says is broken", async () => {
    host.on("/short", (__, response) => {
      response.socket?.end(
        `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 5\r\n\r\n${"a".repeat(5000)}`,
      );
    });
    await expectFailure(get(host.url("/short")), "unreachable");
  });

  test("that comes slowly is given up", async () => {
    const url = host.drip("/slow", "text/plain", Buffer.from("a"), 100);
    await expectFailure(get(url, { timeoutMs: 300 }), "timeout");
    await expectFailure(get(url, { timeoutMs: 300, isCut: true }), "timeout");
  });

  test("whose head does not come is given up sooner", async () => {
    const url = host.on("/silent", () => {});
    await expectFailure(get(url, { headMs: 50, timeoutMs: 60_000 }), "timeout");
  });

  test("may be slower than its head", async () => {
    const url = host.on("/later", (__, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).write("a");
      setTimeout(() => response.end("b"), 2500);
    });
    expect((await get(url, { headMs: 2000, timeoutMs: 60_000 })).body.toString()).toBe("ab");
  });

  test("that a few redirects make slow together is given up", async () => {
    host.on("/step", (__, response) => {
      setTimeout(() => response.writeHead(302, { location: "/step" }).end(), 300);
    });
    await expectFailure(get(host.url("/step"), { timeoutMs: 700 }), "timeout");
  });

  test("of another type is not read", async () => {
    const url = host.drip("/film", "video/mp4", Buffer.alloc(100), 1);
    await expectFailure(get(url), "type");
  });

  test("that is compressed is not read, so it can't grow", async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    for (const encoding of ["gzip", "br", "identity, gzip"]) {
      await expectFailure(
        get(host.serve("/bomb", "text/plain", bomb, { "content-encoding": encoding })),
        "type",
      );
    }
    expect(
      (await get(host.serve("/plain", "text/plain", "a", { "content-encoding": "identity" }))).body,
    ).toHaveLength(1);
  });

  test("of another status than success is a failure", async () => {
    for (const status of [204 + 100, 404, 500]) {
      host.on("/status", (__, response) =>
        response.writeHead(status, { "content-type": "text/plain" }).end("a"),
      );
      await expectFailure(get(host.url("/status")), "status");
    }
  });
});

test("the other host learns nothing of who asks", async () => {
  let headers: Record<string, unknown> = {};
  const url = host.on("/who", (request, response) => {
    headers = request.headers;
    response.writeHead(200, { "content-type": "text/plain" }).end();
  });
  await get(url);
  expect(Object.keys(headers).sort()).toEqual([
    "accept",
    "accept-encoding",
    "connection",
    "host",
    "user-agent",
  ]);
  expect(headers["accept-encoding"]).toBe("identity");
});

describe("at the same time", () => {
  const limits = { total: 3, perOrganization: 2, perHost: 1, waiting: 1 };

  test("a host is asked by few, others wait, and more are refused", async () => {
    let underWay = 0;
    let most = 0;
    const url = host.on("/busy", (__, response) => {
      most = Math.max(most, ++underWay);
      setTimeout(() => {
        underWay--;
        response.writeHead(200, { "content-type": "text/plain" }).end("a");
      }, 50);
    });
    const shared = parts(limits);
    const ask = () => fetchOutside(shared, ORGANIZATION, url, options);
    const results = await Promise.allSettled([ask(), ask(), ask()]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
    expect(results[2]).toMatchObject({ reason: { failure: "busy" } });
    expect(most).toBe(1);
  });

  test("a slow host does not keep others from being asked", async () => {
    const slow = host.on("/stuck", () => {});
    host.serve("/end", "text/plain", "there");
    const shared = parts({ ...limits, waiting: 5 });
    const waiting = [1, 2].map(() =>
      fetchOutside(shared, ORGANIZATION, slow, { ...options, timeoutMs: 2000 }),
    );
    const other = await fetchOutside(shared, ORGANIZATION, `http://open.example:${host.port}/end`, options);
    expect(other.body.toString()).toBe("there");
    for (const each of await Promise.allSettled(waiting)) expect(each.status).toBe("rejected");
  });
});
