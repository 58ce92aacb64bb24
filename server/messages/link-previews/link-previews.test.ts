import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { expectSuccess, refusal, sayIn, showIn } from "../../../test/harness/answers.ts";
import { type CastName, createHarness, type Harness, HOST } from "../../../test/harness/harness.ts";
import { countJobs, runJobs, runJobsEarly } from "../../../test/harness/jobs.ts";
import { listen } from "../../../test/harness/listener.ts";
import { OtherHost } from "../../../test/harness/other-host.ts";
import { picture } from "../../../test/harness/pictures.ts";
import { uploaded } from "../../../test/harness/uploads.ts";
import { openServices } from "../../app.ts";
import { externalAddresses } from "../../content/external-content/addresses.ts";
import { renderTurns } from "../../content/rendering.ts";
import { sql } from "../../platform/db/sql.ts";

let harness: Harness;
let host: OtherHost;
beforeAll(async () => {
  [harness, host] = await Promise.all([
    createHarness({ PARLEY_OUTGOING_ALLOW: "127.0.0.1", PARLEY_RATE_LIMITS: "off" }),
    OtherHost.start(),
  ]);
  await harness.channel("kitchen", ["ada", "dev", "gus", "echo"]);
  await harness.channel("pantry", ["ada", "dev"]);
  await set(true);
});
afterAll(async () => {
  await host.stop();
  await harness.services.outbound.stop();
  await harness.close();
});
beforeEach(() => {
  host.asked.length = 0;
});

const say = sayIn(() => harness);
const show = showIn(() => harness);
const set = (isOn: boolean) =>
  expectSuccess(harness.as("ada").patch("/realm", { inline_url_embed_preview: isOn }));
const edit = (name: CastName, id: number, content: string) =>
  expectSuccess(harness.as(name).patch(`/messages/${id}`, { content }));

/** Runs the jobs that are due, and waits for what they began. */
async function work(): Promise<void> {
  await runJobs(harness.services);
  await harness.services.outbound.settled();
}

const jobs = () => countJobs(harness.services, "show_link_previews");

let made = 0;
const head = (title = "Soup of the day") =>
  `<title>${title}</title><meta property="og:description" content="With bread"><meta property="og:image" content="/soup.png">`;
/** A page that has a preview, at a new address. */
const page = (title?: string) => host.page(`/page-${++made}`, head(title));

async function htmlOf(id: number): Promise<string> {
  return (await show("ada", id)).content;
}

/** Sends a text and returns its HTML after the jobs. */
async function shownAfter(content: string, name: CastName = "dev"): Promise<string> {
  const id = await say(name, "kitchen", { content });
  await work();
  return htmlOf(id);
}

test("a message shows the page that it links to, in the form that clients know", async () => {
  const url = page();
  const image = harness.state.get(externalAddresses()).imagePath(host.url("/soup.png"));
  expect(await shownAfter(`see ${url}`)).toBe(
    `<p>see <a href="${url}">${url}</a></p>\n` +
      `<div class="message_embed"><a class="message_embed_image" href="${url}" style="background-image: url(&quot;${image}&quot;)"></a>` +
      `<div class="data-container"><div class="message_embed_title"><a href="${url}" title="Soup of the day">Soup of the day</a></div>` +
      `<div class="message_embed_description">With bread</div></div></div>`,
  );
  // The picture waits for somebody who wants to see it.
  expect(host.asked).toEqual([new URL(url).pathname]);
  expect(await jobs()).toBe(0);
});

test("a text that waits for its turn to be rendered holds no connection", async () => {
  const run = renderTurns.run.bind(renderTurns);
  const id = await say("dev", "kitchen", { content: `see ${page()}` });
  const held: number[] = [];
  const { database } = harness.services;
  const turns = vi.spyOn(renderTurns, "run").mockImplementation((async (owner, cost, render) => {
    const { changes, background } = database.laneUse;
    held.push(changes.taken + background.taken);
    return run(owner, cost, render);
  }) as typeof run);
  await work();
  turns.mockRestore();
  expect(await htmlOf(id)).toContain("message_embed");
  expect([held.length > 0, Math.max(...held)]).toEqual([true, 0]);
});

test("an upload that the message shows stays shown, also when its sender may not read it any more", async () => {
  const upload = await uploaded(harness, "dev", await picture("png", 300, 200), "soup.png");
  const shared = await say("dev", "pantry", { content: `[soup](${upload})` });
  const id = await say("ada", "pantry", { content: `[soup](${upload}) ${page()}` });
  await expectSuccess(harness.as("dev").delete(`/messages/${shared}`));
  await work();
  const html = await htmlOf(id);
  expect(html).toContain("message_embed");
  expect(html).toContain(`data-original-dimensions="300x200"`);
  await edit("ada", id, `[soup](${upload}) ${page()} today`);
  await work();
  expect(await htmlOf(id)).toContain(`data-original-dimensions="300x200"`);
});

test("people get one event, which edits nothing", async () => {
  const id = await say("dev", "kitchen", { content: `@**Ada Osei** ${page()}` });
  const before = await show("ada", id);
  const listeners = await Promise.all(
    (["ada", "dev", "elin"] as const).map((name) => listen(harness.as(name), { apply_markdown: true })),
  );
  await work();
  const [ofAda, ofDev, ofElin] = await Promise.all(listeners.map((each) => each.heard()));
  const after = await show("ada", id);
  expect(after.content).toContain("message_embed");
  expect(ofAda).toEqual([
    {
      type: "update_message",
      user_id: null,
      rendering_only: true,
      message_id: id,
      message_ids: [id],
      flags: before.flags,
      edit_timestamp: expect.any(Number),
      stream_id: before.stream_id,
      stream_name: "kitchen",
      content: expect.stringContaining("@**"),
      rendered_content: after.content,
      is_me_message: false,
    },
  ]);
  expect(ofDev).toMatchObject([{ rendering_only: true, message_id: id }]);
  expect(ofElin).toEqual([]);
  expect({ ...after, content: "" }).toEqual({ ...before, content: "" });
  expect(after).not.toHaveProperty("last_edit_timestamp");
  const { message_history: history } = await expectSuccess(harness.as("ada").get(`/messages/${id}/history`));
  expect(history).toHaveLength(1);
});

test("a direct message shows its pages to its people", async () => {
  const { id } = await expectSuccess(
    harness.as("dev").post("/messages", { type: "direct", to: [harness.user("ada").id], content: page() }),
  );
  const [ada, gus] = await Promise.all([listen(harness.as("ada")), listen(harness.as("gus"))]);
  await work();
  const [event] = await ada.heard();
  expect(event).toMatchObject({ rendering_only: true, message_id: id });
  expect(event).not.toHaveProperty("stream_id");
  expect(await gus.heard()).toEqual([]);
});

describe("nothing is fetched", () => {
  const isIdle = async (send: () => Promise<unknown>) => {
    const before = await jobs();
    await send();
    expect(await jobs()).toBe(before);
    await work();
    expect(host.asked).toEqual([]);
  };

  test("while the organization does not want it", async () => {
    await set(false);
    await isIdle(() => say("dev", "kitchen", { content: page() }));
    await set(true);
  });

  test("for a message without links to pages", async () => {
    await isIdle(() => say("dev", "kitchen", { content: "soup" }));
    await isIdle(() => say("dev", "kitchen", { content: host.url("/a.png") }));
    await isIdle(() => say("dev", "kitchen", { content: `> ${page()}` }));
    await isIdle(() => say("dev", "kitchen", { content: `\`${page()}\`` }));
  });

  test("for what a bot sends", async () => {
    await isIdle(() => say("echo", "kitchen", { content: page() }));
  });

  test("by a preview of the writer", async () => {
    await isIdle(() => harness.as("dev").post("/messages/render", { content: page() }));
  });

  test("if the setting is turned off before the job runs", async () => {
    const id = await say("dev", "kitchen", { content: page() });
    await set(false);
    await work();
    await set(true);
    expect(host.asked).toEqual([]);
    expect(await htmlOf(id)).not.toContain("embed");
  });

  test("of the server itself, under no name of an organization, nor after a redirect", async () => {
    expect(await shownAfter(`http://${HOST}:8080/a [b](http://other.test/x)`)).not.toContain("embed");
    expect(await shownAfter(host.redirect("/to-own", `http://${HOST}/`))).not.toContain("embed");
  });
});

test("at most five pages of a message are shown, the first ones", async () => {
  const urls = Array.from({ length: 7 }, () => page());
  const html = await shownAfter(urls.join(" "));
  expect(html.match(/class="message_embed"/g)).toHaveLength(5);
  expect(host.asked).toHaveLength(5);
});

test("a page is fetched once for all messages of a day, and a missing one once an hour", async () => {
  const url = page();
  await shownAfter(url);
  expect(await shownAfter(`${url}#part`)).toContain("message_embed");
  const missing = host.url("/missing");
  await shownAfter(missing);
  await shownAfter(missing);
  expect([host.asked.length, host.count("/missing")]).toEqual([2, 1]);
  await harness.services.database.query(sql`update external_pages set expires_at = now()`);
  await shownAfter(url);
  expect(host.asked).toHaveLength(3);
});

test("a page to which several messages link at once is fetched once", async () => {
  const url = page("Popular");
  const ids = [];
  for (let count = 0; count < 4; count++) ids.push(await say("dev", "kitchen", { content: url }));
  await work();
  for (const id of ids) expect(await htmlOf(id)).toContain(">Popular<");
  expect(host.asked).toHaveLength(1);
  expect(await jobs()).toBe(0);
});

describe("an edit", () => {
  test("keeps the pages of links that stay at once, and gets new ones later", async () => {
    const [first, second] = [page("First"), page("Second")];
    const id = await say("dev", "kitchen", { content: first });
    await work();
    await edit("dev", id, `again ${first} ${second}`);
    expect(await htmlOf(id)).toMatch(/>First<[\s\S]*embed_description">With bread<\/div><\/div><\/div>$/);
    expect(await htmlOf(id)).not.toContain(">Second<");
    await work();
    expect(await htmlOf(id)).toMatch(/>First<[\s\S]*>Second</);
    await edit("dev", id, "soup");
    const { message_history: history } = await expectSuccess(
      harness.as("ada").get(`/messages/${id}/history`),
    );
    expect(history).toHaveLength(3);
    expect(history[2].prev_rendered_content).toMatch(/>First<[\s\S]*>Second</);
    expect(await htmlOf(id)).toBe("<p>soup</p>");
    await work();
    expect(await htmlOf(id)).toBe("<p>soup</p>");
  });

  test("while a page is fetched decides what is shown", async () => {
    const other = page("Other");
    let id = 0;
    const url = host.on("/edited-meanwhile", (_, response) => {
      void edit("dev", id, `now ${other}`).then(() =>
        response.writeHead(200, { "content-type": "text/html" }).end(head("Gone")),
      );
    });
    id = await say("dev", "kitchen", { content: url });
    await runJobs(harness.services);
    await harness.services.outbound.settled();
    await work();
    const html = await htmlOf(id);
    expect(html).toContain(">Other<");
    expect(html).not.toContain("Gone");
    expect((await show("ada", id)).last_edit_timestamp).toEqual(expect.any(Number));
    expect(await jobs()).toBe(0);
  });
});

test("a message that is moved meanwhile is shown where it is now", async () => {
  const id = await say("dev", "kitchen", { content: page() });
  await expectSuccess(
    harness.as("ada").patch(`/messages/${id}`, {
      stream_id: (await show("ada", await say("dev", "pantry"))).stream_id,
      send_notification_to_old_thread: false,
      send_notification_to_new_thread: false,
    }),
  );
  const [dev, gus] = await Promise.all([listen(harness.as("dev")), listen(harness.as("gus"))]);
  await work();
  expect(await dev.heard()).toMatchObject([{ rendering_only: true, stream_name: "pantry" }]);
  expect(await gus.heard()).toEqual([]);
});

test("a message that is deleted meanwhile stays deleted", async () => {
  const id = await say("dev", "kitchen", { content: page() });
  await expectSuccess(harness.as("ada").delete(`/messages/${id}`));
  const ada = await listen(harness.as("ada"));
  await work();
  expect(await ada.heard()).toEqual([]);
  expect(await refusal(harness.as("ada").get(`/messages/${id}`))).toBe("Invalid message(s)");
});

test("a fetch that a crash cut off is made again, a few times", async () => {
  const url = page();
  const id = await say("dev", "kitchen", { content: url });
  const { begin } = harness.services.outbound;
  // The process ends after it has taken the job.
  harness.services.outbound.begin = () => true;
  await work();
  harness.services.outbound.begin = begin;
  expect(host.asked).toEqual([]);
  expect(await jobs()).toBe(1);
  await runJobsEarly(harness.services);
  await harness.services.outbound.settled();
  expect(await htmlOf(id)).toContain("message_embed");
  harness.services.outbound.begin = () => true;
  await say("dev", "kitchen", { content: page() });
  for (let tries = 0; tries < 6; tries++) await runJobsEarly(harness.services);
  harness.services.outbound.begin = begin;
  expect(await jobs()).toBe(0);
});

test("a fetch that a stop of the server cuts off is made by another one", async () => {
  const url = host.on("/cut-off", () => {});
  const id = await say("dev", "kitchen", { content: url });
  const { config, log, database } = harness.services;
  const other = await openServices(config, log, database.connection);
  try {
    await runJobs(other);
    await expect.poll(() => host.asked.length).toBe(1);
    await other.outbound.stop();
  } finally {
    await other.database.close();
  }
  host.page("/cut-off", head());
  await runJobsEarly(harness.services);
  await harness.services.outbound.settled();
  expect(await htmlOf(id)).toContain("message_embed");
});

describe("a hostile page", () => {
  const showsNothing = async (url: string) => {
    const html = await shownAfter(url);
    expect(html).toContain("<a ");
    expect(html).not.toContain("embed");
    expect(await jobs()).toBe(0);
  };

  test("can't lead the server into its own network", async () => {
    await showsNothing(host.redirect("/inside", "http://10.0.0.1/"));
    await showsNothing(host.redirect("/metadata", "http://169.254.169.254/latest/"));
    await showsNothing("[a](http://[::ffff:10.0.0.1]/)");
    await showsNothing("http://10.0.0.1:5432/");
    await showsNothing(`http://me:secret@127.0.0.1:${host.port}/page-1`);
  });

  test("is read up to a size, and to its head", async () => {
    const filler = Buffer.alloc(200_000, "<p>");
    const url = host.on("/endless", (_, response) => {
      response.writeHead(200, { "content-type": "text/html" }).write(head("Long"));
      const timer = setInterval(() => response.write(filler), 1);
      response.on("close", () => clearInterval(timer));
    });
    expect(await shownAfter(url)).toContain(">Long<");
    await showsNothing(host.page("/late", "<p>".repeat(400_000) + head()));
  });

  test("of another type, compressed or broken, is not read", async () => {
    await showsNothing(host.serve("/film", "video/mp4", head()));
    await showsNothing(host.serve("/text", "text/plain", head()));
    await showsNothing(host.serve("/bomb", "text/html", gzipSync(head()), { "content-encoding": "gzip" }));
    await showsNothing(host.on("/cut", (_, response) => void response.socket?.end("HTTP/1.1 200")));
    await showsNothing(host.on("/error", (_, response) => void response.writeHead(500).end(head())));
  });

  test("can't put a script, a style or another host into a message", async () => {
    const html = await shownAfter(
      host.page(
        "/script",
        `<title>x"><script>alert(1)</script></title>
         <meta property=og:description content='"><img src=x onerror=alert(1)>@**all** **bold** [a](b)'>
         <meta property=og:image content='https://e.example/a.png&quot;);background:url(&quot;https://e.example/b'>`,
      ),
    );
    expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;@**all** **bold** [a](b)");
    expect(html).not.toMatch(/<(script|img|strong)/);
    expect(html).toMatch(
      /style="background-image: url\(&quot;\/external_content\/[0-9a-f]+\/[0-9a-f]+&quot;\)"/,
    );
  });

  test.each(["data:image/png;base64,AAAA", "javascript:alert(1)", "file:///etc/passwd"])(
    "with its picture at %s has no preview",
    async (url) => {
      await showsNothing(
        host.page(`/picture-${++made}`, `<title>a</title><meta property="og:image" content="${url}">`),
      );
    },
  );

  test("in another encoding is read in that", async () => {
    const latin = Buffer.from(head("Crème brûlée"), "latin1");
    expect(await shownAfter(host.serve("/latin", "text/html; charset=ISO-8859-1", latin))).toContain(
      ">Crème brûlée<",
    );
    expect(await shownAfter(host.serve("/odd", "text/html; charset=nonsense", head("Soup ä")))).toContain(
      ">Soup ä<",
    );
  });
});
