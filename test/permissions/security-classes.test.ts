// The kinds of mistakes that have opened other chat servers, and the tests that guard this one against each.
// A kind whose feature does not exist yet has a condition instead, which fails once the feature is there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

interface MistakeClass {
  mistake: string;
  /** Titles of tests and of groups of tests, by file. */
  guards: Readonly<Record<string, readonly string[]>>;
  /** What makes the rest of the class impossible for now; a test below has this title. */
  condition?: string;
}

const noOutgoingRequests = "no feature of the server opens connections itself";

const classes: readonly MistakeClass[] = [
  {
    mistake: "live events reach people who could not fetch the same data",
    guards: {
      "test/permissions/delivery.test.ts": [
        "an event reaches everyone it is meant for, and nobody who may not know",
        "every declared event has a scenario",
      ],
      "test/permissions/regressions.test.ts": ["a public channel that a guest is not in"],
    },
  },
  {
    mistake: "the event of an edit carries a text to people who may not read the message",
    guards: {
      "test/permissions/regressions.test.ts": [
        "an edit sends a message's text to nobody who may not read it",
      ],
      "test/replay/message-edits.test.ts": [
        "of an unreadable message fails like editing one that does not exist",
      ],
    },
  },
  {
    mistake: "a moved message stays readable, or can be found, for its old readers",
    guards: {
      "test/permissions/regressions.test.ts": [
        "a message that was moved to a private channel can't be read by any request",
      ],
      "test/replay/message-moves.test.ts": [
        "to a private channel hides the messages from people outside it, in listings too",
      ],
      "server/features/search/search.test.ts": ["not a message that moved where the searcher can't read it"],
    },
  },
  {
    mistake: "a preview of another message or page outlives the right to see it",
    guards: {
      "server/features/reports/report.test.ts": [
        "reporting an unreadable message fails like reporting one that does not exist",
      ],
      "server/features/messages/link-previews/link-previews.test.ts": [
        "of the server itself, under no name of an organization, nor after a redirect",
        "a message that is deleted meanwhile stays deleted",
      ],
    },
  },
  {
    mistake: "people who have left keep some of their access",
    guards: {
      "test/permissions/regressions.test.ts": [
        "a user who left a private channel can do nothing there, even to their own messages",
      ],
      "server/features/messages/access.test.ts": [
        "a user who left a private channel can read nothing in it, not even messages they received",
      ],
      "server/features/channels/visibility/audiences.test.ts": [
        "gets only the deletion of a private channel that its user has left",
      ],
    },
  },
  {
    mistake: "an id of another organization is accepted",
    guards: {
      "test/permissions/foreign-ids.test.ts": [
        "an id from another organization is treated as an id that does not exist",
        "every kind of id that calls can name is tested",
      ],
      "test/contract/bad-inputs.test.ts": ["things of another organization are treated as missing"],
    },
  },
  {
    mistake: "a call gives its caller, or the caller's bot, a higher role",
    guards: {
      "test/permissions/foreign-ids.test.ts": [
        "nobody can raise their own role",
        "only administrators may call an endpoint that takes a role",
      ],
      "test/permissions/matrix.test.ts": [
        "each endpoint may be called by the people that docs/permissions.md names",
      ],
    },
  },
  {
    mistake: "an invitation works elsewhere, for more than it was made for, or for those who only saw it",
    guards: {
      "server/features/setup/pages.test.ts": [
        "creates one organization, however many requests use it at once and under which host names",
        "ends the link, and no new link is made",
        "only the keyed hash of a token is stored",
      ],
      "server/features/invitations/join/join.test.ts": [
        "in another organization, cut short, made up, revoked or expired, and each time the page is the same",
        "joins once, also when the form is sent twice at the same time",
        "gets the channels and groups that the inviter may still give, and the default channels",
        "when its inviter may no longer give the role",
      ],
    },
  },
  {
    mistake: "a pattern or a text makes the server compute for seconds",
    guards: {
      "markdown/node/linkifier-re2.test.ts": [
        "a pattern that would make a backtracking engine hang returns at once",
        "uses no more work than it is given, and the same amount for the same text",
      ],
      "server/features/linkifiers/linkifier.test.ts": [
        "patterns that would make a backtracking engine hang, many of them, leave a long message its budget",
      ],
      "markdown/hostile.test.ts": ["ten thousand characters of"],
    },
  },
  {
    mistake: "a name or a text becomes markup in a page",
    guards: {
      "test/permissions/regressions.test.ts": ["HTML and scripts in names and texts are never rendered"],
      "markdown/safety.test.ts": ["%j gives no script, handler, foreign address or style"],
      "server/platform/http/page.test.ts": [
        "values that are put into a template are escaped",
        "a page is sent with a policy that allows its own inline style and no other",
      ],
      "server/features/setup/pages.test.ts": ["markup in the fields is shown as text"],
    },
  },
  {
    mistake: "an uploaded file runs as a script, or reaches a decoder that it should not",
    guards: {
      "server/platform/images/images.test.ts": [
        "a small file that would be decoded into gigabytes is refused by its header",
        "what follows the picture in its file is left out",
      ],
      "server/features/uploads/files.test.ts": [
        "takes no word for the type from who sent the file, and downloads what is asked for so",
        "is one text: no other path leads to the file",
        "has no metadata as a small one, and keeps its bytes as a file",
      ],
      "server/features/uploads/access.test.ts": [
        "no longer by who left the private channel, who can't get it back by linking it again",
        "by those who can read a message after its move, and by nobody else",
      ],
      "server/features/emoji/emoji.test.ts": [
        "is loaded without credentials, cached for ever, and taken for nothing but a picture",
      ],
      "server/features/avatars/avatars.test.ts": [
        "keeps nothing of the file but its pixels",
        "are sent to everyone, for caches to keep, and can do nothing in a browser",
      ],
    },
  },
  {
    mistake: "the server fetches an address of its own network for somebody",
    guards: {
      "server/features/external-content/fetch.test.ts": ["that leads in a circle ends", "to %s fails"],
      "server/features/external-content/images.test.ts": [
        "another digest, another address, another organization or another form is not found",
        "gives the same answer whatever the reason is, so nobody learns what is inside the network",
      ],
      "server/features/external-content/page-facts.test.ts": [
        "huge and deep pages cost little, whatever they are made of",
      ],
      "server/platform/outbound-http/outbound-http.test.ts": [
        "takes every status as an answer, and follows no redirect",
        "is looked up once, and the connection goes to the address that was checked",
        "with one closed address among its addresses is not used at all",
        "%s is closed",
      ],
    },
    condition: noOutgoingRequests,
  },
  {
    mistake: "a value of another type passes a check that expects a text",
    guards: {
      "test/permissions/regressions.test.ts": ["an object where a text is expected signs nobody in"],
      "test/contract/bad-inputs.test.ts": [
        "a parameter that breaks its declaration is refused and changes nothing",
      ],
      "test/contract/bad-settings.test.ts": [
        "whatever it is given, the responses keep their declared shape: the organization's setting",
      ],
      "server/platform/http/decode.test.ts": ["may be names of JavaScript's Object.prototype"],
      "server/platform/http/form.test.ts": ["a special name of JavaScript is an ordinary name"],
      "server/features/organization/organization.test.ts": [
        "a stored setting that its declaration does not allow counts as not chosen",
      ],
    },
  },
  {
    mistake: "passwords can be guessed, cost the server much, show who exists, or shut others out",
    guards: {
      "server/features/auth/sign-in.test.ts": [
        "a wrong password and an unknown name get the same answer",
        "an unknown name takes as long as a wrong password",
        "attempts at the same time are all counted",
        "failures in other networks do not shut a person out where they signed in before",
        "one password can be tried for twenty names from a network, and then for no more",
        "all spellings of a name are one account, and no spelling finds another's password",
        "a huge password is refused without hashing it",
      ],
      "server/platform/crypto/passwords.test.ts": [
        "at most two passwords are hashed at once, so that files find a free thread",
      ],
      "server/features/quotas/quotas.test.ts": [
        "a member makes at most 100 channels an hour, by all calls together",
      ],
    },
  },
  {
    mistake: "a session outlives its account, or a link that should work once works twice",
    guards: {
      "test/permissions/regressions.test.ts": [
        "deactivating a user ends their key and queues at once, and a held poll gets nothing more",
      ],
      "test/contract/bad-inputs.test.ts": [
        "a call without the right credentials is refused and changes nothing",
      ],
      "server/features/setup/pages.test.ts": ["ends the link, and no new link is made"],
    },
  },
];

const root = new URL("../../", import.meta.url);
const own = readFileSync(new URL(import.meta.url), "utf8");

describe("each kind of mistake is guarded against by tests that exist:", () => {
  test.each(classes.map((each) => [each.mistake, each] as const))("%s", (_, { guards, condition }) => {
    const missing = Object.entries(guards).flatMap(([file, titles]) => {
      const url = new URL(file, root);
      const text = existsSync(url) ? readFileSync(url, "utf8") : "";
      return titles.filter((title) => !text.includes(`"${title}"`)).map((title) => `${file}: ${title}`);
    });
    expect(missing).toEqual([]);
    const names = Object.entries({ noOutgoingRequests });
    const name = names.find(([, title]) => title === condition)?.[0];
    if (condition === undefined) expect(Object.keys(guards)).not.toEqual([]);
    else expect(own).toContain(`test(${name},`);
  });

  test("there are fifteen", () => {
    expect(new Set(classes.map(({ mistake }) => mistake)).size).toBe(15);
  });
});

describe("what does not exist yet can't be misused:", () => {
  test(noOutgoingRequests, () => {
    const sources = ["server/features/", "markdown/"].flatMap((folder) =>
      readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
        .map((name) => `${folder}${name}`),
    );
    expect(sources.length).toBeGreaterThan(200);
    const opening =
      /\bfrom "(node:)?(http|https|http2|net|tls|dgram|undici)"|\bfetch\(|new (WebSocket|EventSource)\(/;
    const codeOf = (file: string) =>
      readFileSync(new URL(file, root), "utf8").replace(/^import type [^;]*;$/gm, "");
    const found = sources.filter((file) => opening.test(codeOf(file)));
    // These write programs for readers of the reference, as text.
    const texts = ["quick-start.ts", "samples.ts"].map((name) => `server/features/api-reference/${name}`);
    expect(found.filter((file) => !texts.includes(file))).toEqual([]);
  });
});
