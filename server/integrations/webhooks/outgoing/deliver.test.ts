import type http from "node:http";
import { Type } from "typebox";
import { Check } from "typebox/value";
import { describe, expect, test } from "vitest";
import { outgoingWebhookPayload } from "../../../../api/integrations/outgoing-webhooks.ts";
import { expectSuccess } from "../../../../test/harness/answers.ts";
import { createHarness, HOST } from "../../../../test/harness/harness.ts";
import { runJobs } from "../../../../test/harness/jobs.ts";
import { type Call, says, useOutgoingWebhooks } from "../../../../test/harness/outgoing-webhooks.ts";
import { openServices } from "../../../app.ts";
import { batcherOf } from "../../../messages/send/send.ts";

const webhooks = useOutgoingWebhooks();
const { fails, makeBot, mention, ask, askDirectly, deliver, saidIn, noticesAbout, fetch, waiting } = webhooks;

describe("a message that mentions an outgoing webhook bot", () => {
  test("is not sent to it by a node that has not heard yet that the bot was taken out of the channel", async () => {
    const place = await makeBot({}, { isPrivate: true });
    const { config, log, database } = webhooks.harness.services;
    const other = await openServices(config, log, database.connection);
    try {
      await other.organizations.byId(webhooks.harness.state.organizationId);
      await ask(place);
      const removal = { subscriptions: [place.channel.name], principals: [place.bot.id] };
      await expectSuccess(webhooks.harness.as("ada").delete("/users/me/subscriptions", removal));
      await runJobs(other);
      await other.outbound.settled();
      expect(webhooks.calls).toEqual([]);
    } finally {
      await other.database.close();
    }
  });

  test("calls its program with the fields of E22", async () => {
    const place = await makeBot();
    const id = await ask(place, `${mention(place)} **Now**`);
    await deliver();
    expect(webhooks.calls).toHaveLength(1);
    const [{ headers, body }] = webhooks.calls as [Call];
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
      sender_id: webhooks.harness.user("elin").id,
      sender_email: webhooks.harness.user("elin").email,
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
      webhooks.harness.as("ada").post("/users/me/subscriptions", {
        subscriptions: [{ name: place.channel.name }],
        principals: [webhooks.harness.user("echo").id],
      }),
    );
    await ask(place, mention(place), "echo");
    await ask(place, "Soup?");
    const secret = await webhooks.harness.channel(`secret ${webhooks.made}`, ["ada", "elin"], {
      isPrivate: true,
    });
    await ask({ ...place, channel: secret }, mention(place));
    await deliver();
    expect(webhooks.calls).toEqual([]);
    await ask(place);
    await deliver();
    expect(webhooks.calls).toHaveLength(1);
  });

  test("shares commits with other messages", async () => {
    const place = await makeBot();
    await ask(place, "The first message of the topic goes alone.");
    const { counts } = batcherOf(webhooks.harness.state);
    const before = counts.messages;
    await ask(place);
    await expectSuccess(
      webhooks.harness
        .as("elin")
        .post("/messages", { type: "direct", to: [webhooks.harness.user("dev").id], content: "Soup?" }),
    );
    expect(counts.messages).toBe(before + 2);
    await deliver();
  });
});

describe("a direct message to the bot", () => {
  test("calls its program, and the reply goes to everybody in the conversation", async () => {
    const place = await makeBot();
    webhooks.answer = says({ content: "Yes, soup." });
    await askDirectly(place, [webhooks.harness.user("dev").id]);
    await deliver();
    const { message, ...rest } = JSON.parse((webhooks.calls as [Call])[0].body);
    expect(rest).toMatchObject({ trigger: "direct_message", data: "Soup?" });
    expect(message).toMatchObject({ type: "private", subject: "" });
    expect(message.display_recipient.map(({ id }: { id: number }) => id).sort()).toEqual(
      [place.bot.id, webhooks.harness.user("dev").id, webhooks.harness.user("elin").id].sort(),
    );
    const narrow = [{ operator: "dm", operand: [place.bot.id, webhooks.harness.user("elin").id] }];
    const seen = await fetch("dev", narrow);
    expect(seen.map(({ sender_id, content }) => [sender_id, content])).toEqual([
      [webhooks.harness.user("elin").id, "Soup?"],
      [place.bot.id, "Yes, soup."],
    ]);
    await deliver();
    expect(webhooks.calls, "the bot's own reply calls nobody").toHaveLength(1);
  });
});

describe("the answer of the program", () => {
  test.each([
    ["content", { content: "Leek." }],
    ["the older response_string, which comes first", { response_string: "Leek.", content: "Kale." }],
  ])("is posted as the bot from %s", async (_, reply) => {
    const place = await makeBot();
    webhooks.answer = says(reply);
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
    webhooks.answer = says(reply);
    await ask(place);
    await deliver();
    expect(webhooks.calls).toHaveLength(1);
    expect(await saidIn(place)).toEqual([]);
    expect(await noticesAbout(place)).toEqual([]);
  });

  test("can bring a widget", async () => {
    const place = await makeBot();
    const widget = { widget_type: "poll", extra_data: { question: "Soup?", options: ["leek"] } };
    webhooks.answer = says({ content: "A poll", widget_content: JSON.stringify(widget) });
    await ask(place);
    await deliver();
    const [said] = (await saidIn(place)) as unknown as { submessages: { content: string }[] }[];
    expect(JSON.parse(said?.submessages[0]?.content ?? "{}")).toEqual(widget);
  });

  test("waits for no program that sends by the API before it answers", async () => {
    const place = await makeBot();
    webhooks.answer = async (_, response) => {
      const message = { type: "channel", to: place.channel.id, topic: "lunch", content: "Said meanwhile." };
      await expectSuccess(webhooks.harness.as("dev").post("/messages", message));
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
    webhooks.answer = given;
    await ask(place);
    await deliver();
    expect(webhooks.calls).toHaveLength(1);
    expect(await waiting()).toBe(0);
    expect(await saidIn(place)).toMatchObject([{ content: expect.stringContaining(reason) }]);
    expect(await noticesAbout(place)).toEqual([expect.stringContaining(reason)]);
  });
});

describe("what the bot may do is decided again", () => {
  test("a bot that is deactivated before the call is not called", async () => {
    const place = await makeBot();
    await ask(place);
    await expectSuccess(webhooks.harness.as("dev").delete(`/bots/${place.bot.id}`));
    await deliver();
    expect(webhooks.calls).toEqual([]);
    expect(await waiting()).toBe(0);
  });

  test("a bot that is deactivated during the call posts nothing", async () => {
    const place = await makeBot();
    webhooks.answer = async (_, response) => {
      await expectSuccess(webhooks.harness.as("dev").delete(`/bots/${place.bot.id}`));
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
        webhooks.harness.as("ada").delete("/users/me/subscriptions", {
          subscriptions: [place.channel.name],
          principals: [place.bot.id],
        }),
      );
    webhooks.answer = async (_, response) => {
      await leave();
      response.end(JSON.stringify({ content: "Still here." }));
    };
    await ask(place);
    await deliver();
    expect(webhooks.calls).toHaveLength(1);
    expect(await saidIn(place)).toEqual([]);
    await ask(place);
    await deliver();
    expect(webhooks.calls).toHaveLength(1);
  });

  test("a message that is deleted before the call is not sent, and one that is moved gets its reply there", async () => {
    const place = await makeBot();
    webhooks.answer = says({ content: "Soup it is." });
    const gone = await ask(place);
    await expectSuccess(webhooks.harness.as("ada").delete(`/messages/${gone}`));
    await deliver();
    expect(webhooks.calls).toEqual([]);
    const moved = await ask(place);
    await expectSuccess(webhooks.harness.as("ada").patch(`/messages/${moved}`, { topic: "dinner" }));
    await deliver();
    expect(await saidIn(place, "lunch")).toEqual([]);
    expect(await saidIn(place, "dinner")).toMatchObject([{ content: "Soup it is." }]);
  });

  test("a reply that the bot may not post is refused, and its owner learns why", async () => {
    const place = await makeBot();
    webhooks.answer = says({ content: "Not here." });
    await ask(place);
    const group = await expectSuccess(webhooks.harness.as("ada").get("/user_groups"));
    const { id } = group.user_groups.find(({ name }: { name: string }) => name === "role:administrators");
    await expectSuccess(
      webhooks.harness
        .as("ada")
        .patch(`/streams/${place.channel.id}`, { can_send_message_group: { new: id } }),
    );
    await deliver();
    expect(webhooks.calls).toHaveLength(1);
    expect(await saidIn(place)).toEqual([]);
    expect(await noticesAbout(place)).toEqual([expect.stringContaining("its reply was refused")]);
  });
});

describe("a service in Slack's form", () => {
  test("gets a form, and its text is the reply", async () => {
    const place = await makeBot({ interface_type: 2 });
    webhooks.answer = says({ text: "From over there." });
    await ask(place);
    await deliver();
    const [{ headers, body }] = webhooks.calls as [Call];
    expect(headers["content-type"]).toBe("application/x-www-form-urlencoded");
    expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
      token: place.token,
      channel_id: `C${place.channel.id}`,
      channel_name: place.channel.name,
      user_id: `U${webhooks.harness.user("elin").id}`,
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
    expect(webhooks.calls).toEqual([]);
    expect(await noticesAbout(place)).toEqual([expect.stringContaining("no direct messages")]);
  });
});

test("an address inside the network is called only if the operator allows it", async () => {
  const closed = await createHarness({ PARLEY_RATE_LIMITS: "off", PARLEY_OUTGOING_ALLOW: "10.1.2.3" });
  try {
    const bot = { full_name: "Inner Bot", short_name: "inner", bot_type: 3, payload_url: webhooks.url };
    const { user_id: id } = await expectSuccess(closed.as("dev").post("/bots", bot));
    await expectSuccess(closed.as("elin").post("/messages", { type: "direct", to: [id], content: "Hi" }));
    await runJobs(closed.services);
    await closed.services.outbound.settled();
    expect(webhooks.calls).toEqual([]);
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
