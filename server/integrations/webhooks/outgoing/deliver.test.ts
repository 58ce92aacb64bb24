import http from "node:http";
import type { AddressInfo } from "node:net";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { outgoingWebhookPayload } from "../../../../api/integrations/outgoing-webhooks.ts";
import { expectSuccess } from "../../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness, HOST } from "../../../../test/harness/harness.ts";
import { countJobs, runJobs, runJobsEarly } from "../../../../test/harness/jobs.ts";
import { openServices } from "../../../app.ts";
import { batcherOf } from "../../../messages/send/send.ts";
import { notificationBotOf } from "../../../people/notification-bot.ts";
import { type User, users } from "../../../people/user.ts";
import { OutboundError } from "../../../platform/outbound-http/outbound-http.ts";

interface Call {
  headers: http.IncomingHttpHeaders;
  body: string;
}

let harness: Harness;
let receiver: http.Server;
let url: string;
/** What the receiver got since the test began, and how it answers. */
let calls: Call[] = [];
let answer: (call: Call, response: http.ServerResponse) => void | Promise<void>;

beforeAll(async () => {
  harness = await createHarness({ PARLEY_RATE_LIMITS: "off" });
  receiver = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const call = { headers: request.headers, body: Buffer.concat(parts).toString() };
      calls.push(call);
      void answer(call, response);
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/chat`;
});
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
  await harness.services.outbound.settled();
  await harness.close();
});
beforeEach(() => {
  calls = [];
  answer = says({ response_not_required: true });
});

const says = (reply: unknown) => (_: Call, response: http.ServerResponse) => {
  response.end(JSON.stringify(reply));
};
const fails = (status: number) => (_: Call, response: http.ServerResponse) => {
  response.writeHead(status, { location: url }).end("no");
};

let made = 0;
interface Place {
  bot: User;
  token: string;
  channel: { id: number; name: string };
}

/** A bot of dev's, and a channel that both are in. */
async function makeBot(given: object = {}, channelOptions: { isPrivate?: boolean } = {}): Promise<Place> {
  const name = `Helper ${++made}`;
  const { user_id: id } = await expectSuccess(
    harness.as("dev").post("/bots", {
      full_name: name,
      short_name: `helper${made}`,
      bot_type: 3,
      payload_url: url,
      ...given,
    }),
  );
  const { bots } = await expectSuccess(harness.as("dev").get("/bots"));
  const found = bots.find(({ user_id }: { user_id: number }) => user_id === id);
  const channel = await harness.channel(`kitchen ${made}`, ["ada", "dev", "elin"], channelOptions);
  await expectSuccess(
    harness
      .as("ada")
      .post("/users/me/subscriptions", { subscriptions: [{ name: channel.name }], principals: [id] }),
  );
  return { bot: harness.state.get(users).find(id) as User, token: found.services[0].token, channel };
}

const mention = ({ bot }: Place) => `@**${bot.fullName}** soup?`;

async function ask(place: Place, content = mention(place), by: CastName = "elin"): Promise<number> {
  const message = { type: "channel", to: place.channel.id, topic: "lunch", content };
  return (await expectSuccess(harness.as(by).post("/messages", message))).id;
}

async function askDirectly({ bot }: Place, more: readonly number[] = [], content = "Soup?"): Promise<number> {
  const message = { type: "direct", to: [bot.id, ...more], content };
  return (await expectSuccess(harness.as("elin").post("/messages", message))).id;
}

/** Makes the calls that are due, and waits for their ends. */
async function deliver(): Promise<void> {
  await runJobs(harness.services);
  await harness.services.outbound.settled();
}

async function deliverEarly(): Promise<void> {
  await runJobsEarly(harness.services);
  await harness.services.outbound.settled();
}

interface Shown {
  sender_id: number;
  content: string;
  subject: string;
}

/** What the bot has said in its channel, in this topic. */
async function saidIn({ bot, channel }: Place, topic = "lunch"): Promise<Shown[]> {
  const narrow = [
    { operator: "channel", operand: channel.id },
    { operator: "topic", operand: topic },
  ];
  return (await fetch("ada", narrow)).filter(({ sender_id }) => sender_id === bot.id);
}

/** What the service has written to dev, who owns the bots, about this one. */
async function noticesAbout({ bot }: Place): Promise<string[]> {
  const narrow = [{ operator: "dm", operand: [notificationBotOf(harness.state).id] }];
  const all = (await fetch("dev", narrow)).map(({ content }) => content);
  return all.filter((content) => content.includes(bot.fullName));
}

async function fetch(name: CastName, narrow: unknown): Promise<Shown[]> {
  const page = { anchor: "newest", num_before: 100, num_after: 0, apply_markdown: false, narrow };
  return (await expectSuccess(harness.as(name).get("/messages", page))).messages;
}

const waiting = () => countJobs(harness.services, "call_bot");

describe("a message that mentions an outgoing webhook bot", () => {
  test("is not sent to it by a node that has not heard yet that the bot was taken out of the channel", async () => {
    const place = await makeBot({}, { isPrivate: true });
    const { config, log, database } = harness.services;
    const other = await openServices(config, log, database.connection);
    try {
      await other.organizations.byId(harness.state.organizationId);
      await ask(place);
      const removal = { subscriptions: [place.channel.name], principals: [place.bot.id] };
      await expectSuccess(harness.as("ada").delete("/users/me/subscriptions", removal));
      await runJobs(other);
      await other.outbound.settled();
      expect(calls).toEqual([]);
    } finally {
      await other.database.close();
    }
  });

  test("calls its program with the fields of E22", async () => {
    const place = await makeBot();
    const id = await ask(place, `${mention(place)} **Now**`);
    await deliver();
    expect(calls).toHaveLength(1);
    const [{ headers, body }] = calls as [Call];
    expect(headers).toMatchObject({ "content-type": "application/json", connection: "close" });
    expect(headers["user-agent"]).toMatch(/^Parley/);
    const { message, ...rest } = JSON.parse(body);
    expect(rest).toEqual({
      bot_email: place.bot.email,
      bot_full_name: place.bot.fullName,
      data: `${mention(place)} **Now**`,
      trigger: "mention",
      token: place.token,
    });
    expect(message).toMatchObject({
      id,
      type: "stream",
      content: `${mention(place)} **Now**`,
      content_type: "text/x-markdown",
      subject: "lunch",
      stream_id: place.channel.id,
      display_recipient: place.channel.name,
      sender_id: harness.user("elin").id,
      sender_email: harness.user("elin").email,
      sender_full_name: "Elin Berg",
      sender_realm_str: expect.any(String),
      avatar_url: expect.any(String),
      client: expect.any(String),
      is_me_message: false,
      timestamp: expect.any(Number),
      reactions: [],
      submessages: [],
      topic_links: [],
    });
    expect(message.rendered_content).toContain("<strong>Now</strong>");
    expect(Check(Type.Object(outgoingWebhookPayload), JSON.parse(body))).toBe(true);
    expect(message).not.toHaveProperty("flags");
    expect(await saidIn(place)).toEqual([]);
    expect(await waiting()).toBe(0);
  });

  test("calls nobody if it is by a bot, names nobody, or the bot may not read it", async () => {
    const place = await makeBot();
    await expectSuccess(
      harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: place.channel.name }],
        principals: [harness.user("echo").id],
      }),
    );
    await ask(place, mention(place), "echo");
    await ask(place, "Soup?");
    const secret = await harness.channel(`secret ${made}`, ["ada", "elin"], { isPrivate: true });
    await ask({ ...place, channel: secret }, mention(place));
    await deliver();
    expect(calls).toEqual([]);
    await ask(place);
    await deliver();
    expect(calls).toHaveLength(1);
  });

  test("shares commits with other messages", async () => {
    const place = await makeBot();
    await ask(place, "The first message of the topic goes alone.");
    const { counts } = batcherOf(harness.state);
    const before = counts.messages;
    await ask(place);
    await expectSuccess(
      harness
        .as("elin")
        .post("/messages", { type: "direct", to: [harness.user("dev").id], content: "Soup?" }),
    );
    expect(counts.messages).toBe(before + 2);
    await deliver();
  });
});

describe("a direct message to the bot", () => {
  test("calls its program, and the reply goes to everybody in the conversation", async () => {
    const place = await makeBot();
    answer = says({ content: "Yes, soup." });
    await askDirectly(place, [harness.user("dev").id]);
    await deliver();
    const { message, ...rest } = JSON.parse((calls as [Call])[0].body);
    expect(rest).toMatchObject({ trigger: "direct_message", data: "Soup?" });
    expect(message).toMatchObject({ type: "private", subject: "" });
    expect(message.display_recipient.map(({ id }: { id: number }) => id).sort()).toEqual(
      [place.bot.id, harness.user("dev").id, harness.user("elin").id].sort(),
    );
    const narrow = [{ operator: "dm", operand: [place.bot.id, harness.user("elin").id] }];
    const seen = await fetch("dev", narrow);
    expect(seen.map(({ sender_id, content }) => [sender_id, content])).toEqual([
      [harness.user("elin").id, "Soup?"],
      [place.bot.id, "Yes, soup."],
    ]);
    await deliver();
    expect(calls, "the bot's own reply calls nobody").toHaveLength(1);
  });
});

describe("the answer of the program", () => {
  test.each([
    ["content", { content: "Leek." }],
    ["the older response_string, which comes first", { response_string: "Leek.", content: "Kale." }],
  ])("is posted as the bot from %s", async (_, reply) => {
    const place = await makeBot();
    answer = says(reply);
    await ask(place);
    await deliver();
    expect(await saidIn(place)).toMatchObject([{ content: "Leek.", subject: "lunch" }]);
    expect(await noticesAbout(place)).toEqual([]);
  });

  test.each([
    ["nothing is required", { response_not_required: true, content: "Leek." }],
    ["it is empty", {}],
    ["its text is blank", { content: "  " }],
    ["its text is null", { content: null }],
  ])("posts nothing if %s", async (_, reply) => {
    const place = await makeBot();
    answer = says(reply);
    await ask(place);
    await deliver();
    expect(calls).toHaveLength(1);
    expect(await saidIn(place)).toEqual([]);
    expect(await noticesAbout(place)).toEqual([]);
  });

  test("can bring a widget", async () => {
    const place = await makeBot();
    const widget = { widget_type: "poll", extra_data: { question: "Soup?", options: ["leek"] } };
    answer = says({ content: "A poll", widget_content: JSON.stringify(widget) });
    await ask(place);
    await deliver();
    const [said] = (await saidIn(place)) as unknown as { submessages: { content: string }[] }[];
    expect(JSON.parse(said?.submessages[0]?.content ?? "{}")).toEqual(widget);
  });

  test("waits for no program that sends by the API before it answers", async () => {
    const place = await makeBot();
    answer = async (_, response) => {
      const message = { type: "channel", to: place.channel.id, topic: "lunch", content: "Said meanwhile." };
      await expectSuccess(harness.as("dev").post("/messages", message));
      response.end(JSON.stringify({ content: "Said at the end." }));
    };
    await ask(place);
    await deliver();
    expect(await saidIn(place)).toMatchObject([{ content: "Said at the end." }]);
  });

  test.each([
    ["a status of 404", fails(404), "status 404"],
    ["a redirect, which is not followed", fails(302), "status 302"],
    ["no JSON", (_: Call, response: http.ServerResponse) => void response.end("<html>"), "not valid JSON"],
    ["a list", says([1]), "right form"],
    ["a number as text", says({ content: 7 }), "right form"],
    ["an unknown widget", says({ content: "x", widget_content: { widget_type: "cake" } }), "right form"],
    [
      "too much",
      (_: Call, response: http.ServerResponse) => void response.end("x".repeat(2_000_000)),
      "too long",
    ],
  ])("that is %s fails at once, and the conversation and the owner learn why", async (_, given, reason) => {
    const place = await makeBot();
    answer = given;
    await ask(place);
    await deliver();
    expect(calls).toHaveLength(1);
    expect(await waiting()).toBe(0);
    expect(await saidIn(place)).toMatchObject([{ content: expect.stringContaining(reason) }]);
    expect(await noticesAbout(place)).toEqual([expect.stringContaining(reason)]);
  });
});

describe("a program that fails for a while", () => {
  test("is called again, and its reply is posted once", async () => {
    const place = await makeBot();
    answer = fails(503);
    await ask(place);
    await deliver();
    expect(await waiting()).toBe(1);
    expect(await saidIn(place)).toEqual([]);
    answer = says({ content: "Here I am." });
    await deliverEarly();
    await deliverEarly();
    expect(calls).toHaveLength(2);
    expect(await saidIn(place)).toMatchObject([{ content: "Here I am." }]);
    expect(await noticesAbout(place)).toEqual([]);
  });

  test("is given up after the fourth try, with one notice in each place", async () => {
    const place = await makeBot();
    answer = (_, response) => void response.destroy();
    await ask(place);
    await deliver();
    for (let tries = 2; tries <= 6; tries++) await deliverEarly();
    expect(calls).toHaveLength(4);
    expect(await waiting()).toBe(0);
    expect(await saidIn(place)).toMatchObject([{ content: expect.stringContaining("could not be reached") }]);
    expect(await noticesAbout(place)).toHaveLength(1);
  });

  test("and answers two tries at last posts one reply, that of the later try", async () => {
    const place = await makeBot();
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    answer = async (_, response) => {
      const number = calls.length;
      if (number === 1) await isReleased;
      response.end(JSON.stringify({ content: `Answer ${number}` }));
    };
    await ask(place);
    await runJobs(harness.services);
    // As if the node were taken for dead while its call is under way.
    await runJobsEarly(harness.services);
    await expect.poll(() => saidIn(place)).toHaveLength(1);
    release();
    await harness.services.outbound.settled();
    expect(await saidIn(place)).toMatchObject([{ content: "Answer 2" }]);
    expect(await waiting()).toBe(0);
  });
});

/** An answer that is held back until `release` is called. */
function heldAnswer() {
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  const hold = async (_: Call, response: http.ServerResponse) => {
    await isReleased;
    response.end(JSON.stringify({ content: "At last." }));
  };
  return { hold, release };
}

describe("a call that this server can't make now", () => {
  test("waits for room as often as needed, which counts as no try of the program", async () => {
    const place = await makeBot();
    answer = says({ content: "Here I am." });
    await ask(place);
    const { outbound } = harness.services;
    const full = vi.spyOn(outbound, "request").mockImplementation(() => {
      throw new OutboundError("busy");
    });
    for (let tries = 1; tries <= 6; tries++) await deliverEarly();
    full.mockRestore();
    expect(await saidIn(place)).toEqual([]);
    await deliverEarly();
    expect(calls).toHaveLength(1);
    expect(await saidIn(place)).toMatchObject([{ content: "Here I am." }]);
    expect(await noticesAbout(place)).toEqual([]);
  });

  test("because the server stops is made by another one, though it was the last try", async () => {
    const place = await makeBot();
    answer = fails(503);
    await ask(place);
    for (let tries = 1; tries <= 3; tries++) await deliverEarly();
    const { config, log, database } = harness.services;
    const other = await openServices(config, log, database.connection);
    try {
      const { hold, release } = heldAnswer();
      answer = hold;
      await runJobsEarly(other);
      await expect.poll(() => calls.length).toBe(4);
      await other.outbound.stop();
      release();
    } finally {
      await other.database.close();
    }
    expect(await saidIn(place)).toEqual([]);
    expect(await noticesAbout(place)).toEqual([]);
    answer = says({ content: "Here I am." });
    await deliverEarly();
    expect(await saidIn(place)).toMatchObject([{ content: "Here I am." }]);
  });
});

test("a slow program holds up no other bot, however often it is called", async () => {
  const [slow, quick] = [await makeBot(), await makeBot()];
  const { hold, release } = heldAnswer();
  answer = (call, response) =>
    call.body.includes(slow.bot.fullName) ? hold(call, response) : says({ content: "Soup." })(call, response);
  for (let count = 1; count <= 10; count++) await ask(slow);
  await runJobs(harness.services);
  await ask(quick);
  await runJobs(harness.services);
  try {
    await expect.poll(() => saidIn(quick)).toMatchObject([{ content: "Soup." }]);
    expect(await saidIn(slow)).toEqual([]);
  } finally {
    release();
  }
  // A call that has not ended when jobs run early is taken for lost with its node, and made again.
  await harness.services.outbound.settled();
  for (let left = 10; left > 0; left = await waiting()) await deliverEarly();
  expect(await saidIn(slow)).toHaveLength(10);
  expect(calls).toHaveLength(11);
});

describe("what the bot may do is decided again", () => {
  test("a bot that is deactivated before the call is not called", async () => {
    const place = await makeBot();
    await ask(place);
    await expectSuccess(harness.as("dev").delete(`/bots/${place.bot.id}`));
    await deliver();
    expect(calls).toEqual([]);
    expect(await waiting()).toBe(0);
  });

  test("a bot that is deactivated during the call posts nothing", async () => {
    const place = await makeBot();
    answer = async (_, response) => {
      await expectSuccess(harness.as("dev").delete(`/bots/${place.bot.id}`));
      response.end(JSON.stringify({ content: "Too late." }));
    };
    await ask(place);
    await deliver();
    expect(await saidIn(place)).toEqual([]);
  });

  test("a bot that has left a private channel gets nothing of it and says nothing there", async () => {
    const place = await makeBot({}, { isPrivate: true });
    const leave = () =>
      expectSuccess(
        harness.as("ada").delete("/users/me/subscriptions", {
          subscriptions: [place.channel.name],
          principals: [place.bot.id],
        }),
      );
    answer = async (_, response) => {
      await leave();
      response.end(JSON.stringify({ content: "Still here." }));
    };
    await ask(place);
    await deliver();
    expect(calls).toHaveLength(1);
    expect(await saidIn(place)).toEqual([]);
    await ask(place);
    await deliver();
    expect(calls).toHaveLength(1);
  });

  test("a message that is deleted before the call is not sent, and one that is moved gets its reply there", async () => {
    const place = await makeBot();
    answer = says({ content: "Soup it is." });
    const gone = await ask(place);
    await expectSuccess(harness.as("ada").delete(`/messages/${gone}`));
    await deliver();
    expect(calls).toEqual([]);
    const moved = await ask(place);
    await expectSuccess(harness.as("ada").patch(`/messages/${moved}`, { topic: "dinner" }));
    await deliver();
    expect(await saidIn(place, "lunch")).toEqual([]);
    expect(await saidIn(place, "dinner")).toMatchObject([{ content: "Soup it is." }]);
  });

  test("a reply that the bot may not post is refused, and its owner learns why", async () => {
    const place = await makeBot();
    answer = says({ content: "Not here." });
    await ask(place);
    const group = await expectSuccess(harness.as("ada").get("/user_groups"));
    const { id } = group.user_groups.find(({ name }: { name: string }) => name === "role:administrators");
    await expectSuccess(
      harness.as("ada").patch(`/streams/${place.channel.id}`, { can_send_message_group: { new: id } }),
    );
    await deliver();
    expect(calls).toHaveLength(1);
    expect(await saidIn(place)).toEqual([]);
    expect(await noticesAbout(place)).toEqual([expect.stringContaining("its reply was refused")]);
  });
});

describe("a service in Slack's form", () => {
  test("gets a form, and its text is the reply", async () => {
    const place = await makeBot({ interface_type: 2 });
    answer = says({ text: "From over there." });
    await ask(place);
    await deliver();
    const [{ headers, body }] = calls as [Call];
    expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      token: place.token,
      channel_id: `C${place.channel.id}`,
      channel_name: place.channel.name,
      user_id: `U${harness.user("elin").id}`,
      user_name: "Elin Berg",
      text: mention(place),
      trigger_word: "mention",
    });
    expect(await saidIn(place)).toMatchObject([{ content: "From over there." }]);
  });

  test("gets no direct messages, and its owner learns that", async () => {
    const place = await makeBot({ interface_type: 2 });
    await askDirectly(place);
    await deliver();
    expect(calls).toEqual([]);
    expect(await noticesAbout(place)).toEqual([expect.stringContaining("no direct messages")]);
  });
});

test("an address inside the network is called only if the operator allows it", async () => {
  const closed = await createHarness({ PARLEY_RATE_LIMITS: "off", PARLEY_OUTGOING_ALLOW: "10.1.2.3" });
  try {
    const bot = { full_name: "Inner Bot", short_name: "inner", bot_type: 3, payload_url: url };
    const { user_id: id } = await expectSuccess(closed.as("dev").post("/bots", bot));
    await expectSuccess(closed.as("elin").post("/messages", { type: "direct", to: [id], content: "Hi" }));
    await runJobs(closed.services);
    await closed.services.outbound.settled();
    expect(calls).toEqual([]);
    const page = {
      anchor: "newest",
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: "dm", operand: [id] }],
    };
    const { messages } = await expectSuccess(closed.as("elin").get("/messages", page));
    expect(messages.at(-1).content).toContain("not allowed to call its address");
    expect(messages.at(-1).sender_email).toBe(`inner-bot@${HOST}`);
  } finally {
    await closed.close();
  }
});
