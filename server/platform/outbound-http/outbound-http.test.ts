import http from "node:http";
import type { AddressInfo } from "node:net";
import net from "node:net";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { AddressRule, isRange } from "./addresses.ts";
import { OutboundError, OutboundHttp, type OutboundOptions, type OutboundRequest } from "./outbound-http.ts";

const LOOPBACK = ["127.0.0.0/8", "::1"];
const ORGANIZATION = 1;

/** What the receiver got, newest last. */
const received: {
  url: string;
  host: string;
  method: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}[] = [];
let receiver: http.Server;
let rude: net.Server;
let port: number;
let rudePort: number;

beforeAll(async () => {
  receiver = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const { url = "", method = "", headers } = request;
      received.push({
        url,
        method,
        headers,
        host: headers.host ?? "",
        body: Buffer.concat(parts).toString(),
      });
      answer(url, response);
    });
  });
  // It says what no HTTP server says, or ends in the middle.
  rude = net.createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      if (data.includes("/cut")) socket.end("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf");
      else if (data.includes("/head")) socket.end(`HTTP/1.1 200 OK\r\nx: ${"y".repeat(40_000)}\r\n\r\n`);
      else socket.end("this is no HTTP\r\n\r\n");
    });
  });
  port = await listen(receiver);
  rudePort = await listen(rude);
});
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await new Promise((resolve) => rude.close(resolve));
});

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
  });
}

function answer(url: string, response: http.ServerResponse): void {
  if (url === "/redirect") response.writeHead(302, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
  else if (url === "/slow") response.writeHead(200).write("a little");
  else if (url === "/silent") return;
  else if (url === "/endless") {
    const chunk = "x".repeat(16_384);
    const more = () => {
      while (response.write(chunk));
    };
    response.on("drain", more);
    response.on("error", () => {});
    more();
  } else if (url === "/long") response.writeHead(200, { "content-length": 10_000 }).end("x".repeat(10_000));
  else response.writeHead(url === "/broken" ? 500 : 200, { "x-kind": "test" }).end("done");
}

function way(options: Partial<OutboundOptions> = {}): OutboundHttp {
  return new OutboundHttp({ allowed: LOOPBACK, ...options });
}

const get: OutboundRequest = { method: "GET", timeoutMs: 5000, maxResponseBytes: 1000 };
const at = (path: string) => `http://127.0.0.1:${port}${path}`;

async function failureOf(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof OutboundError)) throw new Error(`not refused: ${String(error)}`);
  return error.failure;
}

describe("a call", () => {
  test("sends the method, the headers and the body, and gives the answer", async () => {
    const request = { ...get, method: "POST" as const, headers: { "x-word": "soup" }, body: "héllo" };
    const response = await way().request(ORGANIZATION, at("/path?a=b"), request);
    expect(response).toMatchObject({ status: 200, headers: { "x-kind": "test" } });
    expect(response.body.toString()).toBe("done");
    expect(received.at(-1)).toMatchObject({
      url: "/path?a=b",
      method: "POST",
      body: "héllo",
      headers: {
        "x-word": "soup",
        "content-length": "6",
        connection: "close",
        "accept-encoding": "identity",
      },
    });
  });

  test("takes every status as an answer, and follows no redirect", async () => {
    const count = received.length;
    expect((await way().request(ORGANIZATION, at("/redirect"), get)).status).toBe(302);
    expect((await way().request(ORGANIZATION, at("/broken"), get)).status).toBe(500);
    expect(received.slice(count).map(({ url }) => url)).toEqual(["/redirect", "/broken"]);
  });

  test.each(["/slow", "/silent", "/endless"])("of %s ends after its time", async (path) => {
    const request = { ...get, timeoutMs: 300, maxResponseBytes: 10 ** 12 };
    expect(await failureOf(way().request(ORGANIZATION, at(path), request))).toBe("timeout");
  });

  test.each(["/endless", "/long"])("of %s ends when the answer is longer than its limit", async (path) => {
    expect(await failureOf(way().request(ORGANIZATION, at(path), get))).toBe("too-large");
  });

  test.each([
    ["/cut", "unreachable"],
    ["/head", "too-large"],
    ["/noise", "unreachable"],
  ])("of %s, where the other side does not keep to HTTP, fails", async (path, failure) => {
    expect(await failureOf(way().request(ORGANIZATION, `http://127.0.0.1:${rudePort}${path}`, get))).toBe(
      failure,
    );
  });

  test("to a port where nobody listens fails, and so does one that is aborted", async () => {
    expect(await failureOf(way().request(ORGANIZATION, "http://127.0.0.1:1/", get))).toBe("unreachable");
    const controller = new AbortController();
    const call = way().request(ORGANIZATION, at("/silent"), { ...get, signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(await failureOf(call)).toBe("unreachable");
  });

  test("by TLS fails where the other side has no certificate for the name", async () => {
    expect(await failureOf(way().request(ORGANIZATION, `https://127.0.0.1:${port}/`, get))).toBe(
      "unreachable",
    );
  });

  test.each([
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "somewhere",
    "",
    "http://a:b@127.0.0.1/",
    "http://a@x/",
  ])("to '%s' is refused", async (url) => {
    expect(await failureOf(way().request(ORGANIZATION, url, get))).toBe("bad-address");
  });
});

describe("a name", () => {
  test("is looked up once, and the connection goes to the address that was checked", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    let asked = 0;
    const rebinding = way({ resolve: async () => answers[asked++] ?? [] });
    const url = `http://rebinding.example:${port}/named`;
    expect((await rebinding.request(ORGANIZATION, url, get)).status).toBe(200);
    expect(asked).toBe(1);
    expect(received.at(-1)).toMatchObject({ url: "/named", host: `rebinding.example:${port}` });
    expect(await failureOf(rebinding.request(ORGANIZATION, url, get))).toBe("blocked");
  });

  test("with one closed address among its addresses is not used at all", async () => {
    const mixed = way({ allowed: [], resolve: async () => ["93.184.216.34", "127.0.0.1"] });
    expect(await failureOf(mixed.request(ORGANIZATION, "http://mixed.example/", get))).toBe("blocked");
  });

  test("that is unknown, or takes too long, fails", async () => {
    const unknown = way({ resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    expect(await failureOf(unknown.request(ORGANIZATION, "http://unknown.example/", get))).toBe(
      "unreachable",
    );
    const never = way({ resolve: () => new Promise(() => {}) });
    const soon = { ...get, timeoutMs: 50 };
    expect(await failureOf(never.request(ORGANIZATION, "http://never.example/", soon))).toBe("timeout");
    const nothing = way({ resolve: async () => [] });
    expect(await failureOf(nothing.request(ORGANIZATION, "http://none.example/", get))).toBe("unreachable");
  });
});

describe("an address", () => {
  const closed = [
    ...["0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.1.1"],
    ...["169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.1", "192.168.1.1", "192.0.2.1"],
    ...["198.51.100.1", "203.0.113.1", "192.88.99.1", "198.18.0.1", "224.0.0.1", "239.255.255.255"],
    ...["240.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::127.0.0.1"],
    ...["::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::a00:1", "2002:7f00:1::"],
    ...[
      "2002:808:808::1",
      "64:ff9b::8.8.8.8",
      "2002:a00:1::1",
      "2001::1",
      "2001:db8::1",
      "3fff::1",
      "fc00::1",
      "fd12::1",
      "fd00:ec2::254",
    ],
    ...["fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "100::1", "5f00::1", "nonsense", ""],
  ];
  test.each(closed)("%s is closed", (address) => {
    expect(new AddressRule([]).judge(address)).toBe("closed");
  });

  test.each(["8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"])(
    "%s is open",
    (address) => {
      expect(new AddressRule([]).judge(address)).toBe("open");
    },
  );

  test.each([
    ["http://0x7f000001/", "hexadecimal"],
    ["http://2130706433/", "one number"],
    ["http://0177.0.0.1/", "octal"],
    ["http://127.1/", "short"],
    ["http://[::ffff:127.0.0.1]/", "mapped"],
    ["http://[::1]/", "IPv6"],
    ["http://169.254.169.254/latest/", "a cloud's service"],
  ])("in the form of %s (%s) is refused", async (url) => {
    expect(await failureOf(way({ allowed: [] }).request(ORGANIZATION, url, get))).toBe("blocked");
  });

  test("that the operator allows is reached, but never a service that gives credentials away", () => {
    const rule = new AddressRule(["10.1.0.0/16", "169.254.0.0/16", "fd00::/8", "192.168.1.1"]);
    expect(rule.judge("10.1.2.3")).toBe("allowed");
    expect(rule.judge("::ffff:10.1.2.3")).toBe("allowed");
    expect(rule.judge("192.168.1.1")).toBe("allowed");
    expect(new AddressRule(["64:ff9b::/96"]).judge("64:ff9b::8.8.8.8")).toBe("open");
    expect(new AddressRule(["64:ff9b::/96"]).judge("64:ff9b::10.0.0.1")).toBe("closed");
    expect(rule.judge("10.2.0.1")).toBe("closed");
    expect(rule.judge("169.254.169.254")).toBe("closed");
    expect(rule.judge("fd00:ec2::254")).toBe("closed");
  });

  test("that the operator allows keeps the server's own ports closed", async () => {
    const guarded = way({ ownPorts: [port] });
    expect(await failureOf(guarded.request(ORGANIZATION, at("/"), get))).toBe("blocked");
  });

  test("outside of what is allowed gets secrets by HTTPS only", async () => {
    const outside = way({ resolve: async () => ["93.184.216.34"] });
    const secret = { ...get, mustEncrypt: true };
    expect(await failureOf(outside.request(ORGANIZATION, "http://plain.example/", secret))).toBe(
      "not-encrypted",
    );
    expect((await way().request(ORGANIZATION, at("/inside"), secret)).status).toBe(200);
  });

  test.each([
    ["10.0.0.0/8", true],
    ["127.0.0.1", true],
    ["::1", true],
    ["fd00::/8", true],
    ["10.0.0.0/33", false],
    ["10.0.0/8", false],
    ["localhost", false],
    ["fe80::1%eth0", false],
    ["1.2.3.4/8/8", false],
  ])("or range in a setting: %s, %s", (text, isOne) => {
    expect(isRange(text)).toBe(isOne);
  });
});

describe("calls at the same time", () => {
  const long = { ...get, timeoutMs: 400_000 };

  /** The time of calls that take long is over when the returned function is called. */
  function holdTimeouts(): () => void {
    const over = new AbortController();
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    const held = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((ms) => (ms === long.timeoutMs ? over.signal : timeout(ms)));
    onTestFinished(() => held.mockRestore());
    return () => over.abort(new DOMException("over", "TimeoutError"));
  }

  test("are bounded for each organization and for all together", async () => {
    const narrow = way({ limits: { total: 3, perOrganization: 2 } });
    const endLong = holdTimeouts();
    const held = [1, 1, 2].map((id) => failureOf(narrow.request(id, at("/silent"), long)));
    expect(narrow.total).toBe(3);
    expect(await failureOf(narrow.request(1, at("/"), get))).toBe("busy");
    expect(await failureOf(narrow.request(3, at("/"), get))).toBe("busy");
    expect(narrow.begin(1, async () => {})).toBe(false);
    endLong();
    expect(await Promise.all(held)).toEqual(["timeout", "timeout", "timeout"]);
    expect(narrow.total).toBe(0);
    expect((await narrow.request(1, at("/"), get)).status).toBe(200);
  });

  test("leave some of the room to people who wait, if nobody waits for them", async () => {
    const narrow = way({ limits: { total: 8, perOrganization: 4 } });
    const background = { ...long, isInBackground: true };
    const endLong = holdTimeouts();
    const held = [1, 1, 1].map((id) => failureOf(narrow.request(id, at("/silent"), background)));
    expect(await failureOf(narrow.request(1, at("/"), background))).toBe("busy");
    expect(narrow.begin(1, async () => {})).toBe(false);
    expect((await narrow.request(1, at("/"), get)).status).toBe(200);
    held.push(...[2, 2, 2].map((id) => failureOf(narrow.request(id, at("/silent"), background))));
    expect(await failureOf(narrow.request(3, at("/"), background))).toBe("busy");
    expect((await narrow.request(3, at("/"), get)).status).toBe(200);
    endLong();
    expect(await Promise.all(held)).toEqual(Array(6).fill("timeout"));
  });

  test("keep their places until their names are looked up, however long that takes", async () => {
    let answerLookUp = (_addresses: string[]) => {};
    const silent = new Promise<string[]>((resolve) => {
      answerLookUp = resolve;
    });
    const narrow = way({ resolve: () => silent, limits: { total: 2, perOrganization: 1 } });
    const soon = { ...get, timeoutMs: 50 };
    expect(await failureOf(narrow.request(1, "http://silent.example/", soon))).toBe("timeout");
    expect(await failureOf(narrow.request(1, "http://silent.example/", soon))).toBe("busy");
    answerLookUp(["127.0.0.1"]);
    await silent;
    expect(narrow.total).toBe(0);
    expect((await narrow.request(1, `http://silent.example:${port}/`, get)).status).toBe(200);
    expect(narrow.total).toBe(0);
  });

  test("end when the server stops, and nothing begins any more", async () => {
    const stopped = way();
    let failure = "";
    const hasBegun = stopped.begin(1, async () => {
      failure = await failureOf(stopped.request(1, at("/silent"), get));
    });
    expect(hasBegun).toBe(true);
    await stopped.stop();
    expect(failure).toBe("stopped");
    expect(stopped.begin(1, async () => {})).toBe(false);
    expect(await failureOf(stopped.request(1, at("/"), get))).toBe("stopped");
  });
});
