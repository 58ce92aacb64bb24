// The kinds of mistakes that have opened other chat servers, and the tests that guard this one against each.
// A kind whose feature does not exist yet has a condition instead, which fails once the feature is there.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { modules } from "../../tools/modules.js";
import { mistakes } from "./mistakes.ts";

interface MistakeClass {
  mistake: (typeof mistakes)[number];
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
      "server/messages/search/search.test.ts": ["not a message that moved where the searcher can't read it"],
    },
  },
  {
    mistake: "a preview of another message or page outlives the right to see it",
    guards: {
      "server/messages/reports/report.test.ts": [
        "reporting an unreadable message fails like reporting one that does not exist",
      ],
      "server/messages/link-previews/link-previews.test.ts": [
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
      "server/messages/access.test.ts": [
        "a user who left a private channel can read nothing in it, not even messages they received",
      ],
      "server/channels/visibility/audiences.test.ts": [
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
        "every parameter that may be an id is tested",
      ],
      "test/contract/refused-callers.test.ts": ["things of another organization are treated as missing"],
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
      "server/website/setup/pages.test.ts": [
        "creates one organization, however many requests use it at once and under which host names",
        "ends the link, and no new link is made",
        "only the keyed hash of a token is stored",
      ],
      "server/accounts/invitations/join/join.test.ts": [
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
        "a pattern that would make a backtracking engine hang costs a part of the work",
        "uses no more work than it is given, and the same amount for the same text",
      ],
      "server/content/linkifiers/linkifier.test.ts": [
        "patterns that would make a backtracking engine hang, many of them, leave a long message its budget",
      ],
      "markdown/hostile.test.ts": ["ten thousand characters of"],
    },
  },
  {
    mistake: "a name or a text becomes markup in a page",
    guards: {
      "test/permissions/regressions.test.ts": ["HTML and scripts in names and texts are never rendered"],
      "test/machine/web/hostile-names.test.ts": [
        "names with markup are shown as they are, wherever the client shows them",
      ],
      "test/permissions/hostile-names.test.ts": [
        "%s gets none of it as markup, in no HTML",
        "notices of the service mention nobody, and have the names as text",
        "mails have it in one line of their headers, and as text in their HTML",
      ],
      "markdown/safety.test.ts": ["%j gives no script, handler, foreign address or style"],
      "server/platform/http/page.test.ts": [
        "values that are put into a template are escaped",
        "a page is sent with a policy that allows its own inline style and no other",
      ],
      "server/website/setup/pages.test.ts": ["markup in the fields is shown as text"],
    },
  },
  {
    mistake: "an uploaded file runs as a script, or reaches a decoder that it should not",
    guards: {
      "server/platform/images/images.test.ts": [
        "a small file that would be decoded into gigabytes is refused by its header",
        "what follows the picture in its file is left out",
      ],
      "server/content/uploads/files.test.ts": [
        "takes no word for the type from who sent the file, and downloads what is asked for so",
        "is one text: no other path leads to the file",
        "has no metadata as a small one, and keeps its bytes as a file",
      ],
      "server/content/uploads/access.test.ts": [
        "no longer by who left the private channel, who can't get it back by linking it again",
        "by those who can read a message after its move, and by nobody else",
      ],
      "server/content/emoji/emoji.test.ts": [
        "is loaded without credentials, cached for ever, and taken for nothing but a picture",
      ],
      "server/content/avatars/avatars.test.ts": [
        "keeps nothing of the file but its pixels",
        "are sent to everyone, for caches to keep, and can do nothing in a browser",
      ],
    },
  },
  {
    mistake: "the server fetches an address of its own network for somebody",
    guards: {
      "server/content/external-content/fetch.test.ts": ["that leads in a circle ends", "to %s fails"],
      "server/content/external-content/images.test.ts": [
        "another digest, another address, another organization or another form is not found",
        "gives the same answer whatever the reason is, so nobody learns what is inside the network",
      ],
      "server/content/external-content/page-facts.test.ts": [
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
      "server/organization/organization.test.ts": [
        "a stored setting that its declaration does not allow counts as not chosen",
      ],
    },
  },
  {
    mistake: "passwords can be guessed, cost the server much, show who exists, or shut others out",
    guards: {
      "server/accounts/sign-in/sign-in.test.ts": [
        "a wrong password and an unknown name get the same answer",
        "a wrong password, an unknown name and an account without a password each cost one hash",
        "a huge password is refused without hashing it",
      ],
      "server/accounts/sign-in/sign-in-limits.test.ts": [
        "attempts at the same time are all counted",
        "failures in other networks do not shut a person out where they signed in before",
        "one password can be tried for twenty names from a network, and then for no more",
        "all spellings of a name are one account, and no spelling finds another's password",
      ],
      "server/platform/crypto/passwords.test.ts": ["passwords leave a processor and threads to others"],
      "server/accounts/mailed-codes/mailed-codes.test.ts": [
        "nobody learns by asking for another password who has an account",
        "a network asks for twenty mails in half an hour",
        "wrong passwords in the settings have the limits of signing in",
        "neither links nor passwords are logged",
      ],
      "server/accounts/sign-up/sign-up.test.ts": [
        "nobody learns by joining who has an account, and who has one gets a mail that says so",
      ],
      "server/accounts/second-steps/second-steps.test.ts": [
        "a wrong password tells nothing of the second step",
        "after five wrong codes from a network even the right one is refused there, and not elsewhere",
        "of several sign-ins with one code at once, one succeeds",
      ],
      "server/accounts/sign-in/token-sign-in.test.ts": [
        "after five wrong tokens for an address, a network gets no more looked at",
      ],
      "server/platform/http/app.test.ts": ["a forwarded address is only accepted from a trusted proxy"],
      "server/people/quotas/quotas.test.ts": [
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
      "test/contract/refused-callers.test.ts": [
        "a call without the right credentials is refused and changes nothing",
      ],
      "server/website/setup/pages.test.ts": ["ends the link, and no new link is made"],
      "test/races/redeemed-once.test.ts": [
        "used six times at once, on two nodes, it works once:",
        "everything that takes a link or a code is in one of the two lists",
      ],
      "test/races/deactivated-midway.test.ts": ["a person who %s at that moment has done nothing"],
      "test/races/endings/endings.ts": [
        "an administrator deactivates the account",
        "the person signs all other browsers out",
      ],
      "test/permissions/pages.test.ts": [
        "these forms take requests from elsewhere, and no others",
        "what a form refuses changes nothing, and what it takes changes something",
      ],
      "server/accounts/sessions/sessions.test.ts": [
        "signing in ends the session whose cookie the browser had",
        "a token that somebody put into the browser before never becomes a session",
        "the end of a session ends its held polls at once, and queues stay",
        "with another role all sessions of the person end",
        "a deactivated person has no session, nor later when the account is back",
        "a sign-in that meets the deactivation of its account starts no session",
        "a sign-in that meets a change of the password starts no session",
        "a session is not enough to get an API key",
        "a session reads without more, and changes only for an own page with the client's name",
      ],
      "server/people/update/update-user.test.ts": [
        "who becomes a guest gets no more messages of public channels through an old queue",
      ],
      "server/accounts/mailed-codes/mailed-codes.test.ts": [
        "of many who use one link at once, one sets the password",
        "of many who use one link to confirm an address at once, one does",
        "a link for another password does not work with the password changed meanwhile, expired or elsewhere",
        "a link for another password names the organization's address, whatever the request names",
        "another password ends the polls that the person's browsers hold",
        "another password leaves the second step as it is, and signs nobody in",
      ],
      "server/accounts/sign-up/sign-up.test.ts": ["of many who use one link to join at once, one joins"],
      "server/accounts/providers/forged-sign-in.test.ts": [
        "is refused in another browser, and with another state",
        "is refused with a code that the provider gave for another nonce or another verifier",
      ],
      "server/accounts/providers/sign-in.test.ts": [
        "learns nothing about accounts by an address that is not verified",
        "is found by issuer and subject, and never by the subject alone",
        "is refused while the account is deactivated",
        "connects it by a code too where the account has a second step, and is asked for none later",
        "joins without an invitation where none is needed, but only from allowed domains",
      ],
      "server/accounts/passkeys/passkeys.test.ts": [
        "a challenge works once, for the browser that asked, and for five minutes",
        "a sign-in that meets the removal of its passkey starts no session",
      ],
      "server/accounts/second-steps/second-steps.test.ts": [
        "a sign-in that meets the set-up of an app starts no session",
        "a second step that is added or removed ends all other sessions, is mailed and leaves an entry",
      ],
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
    expect(classes.map(({ mistake }) => mistake)).toEqual([...mistakes]);
    expect(mistakes).toHaveLength(15);
  });
});

describe("what does not exist yet can't be misused:", () => {
  test(noOutgoingRequests, () => {
    const sources = [...modules.map(({ name }) => `server/${name}/`), "markdown/"].flatMap((folder) =>
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
    // These are texts: programs for readers of the reference, and the script of the page for signing in.
    const texts = [
      "integrations/api-reference/quick-start.ts",
      "integrations/api-reference/samples.ts",
      "accounts/passkeys/page-script.ts",
    ].map((name) => `server/${name}`);
    expect(found.filter((file) => !texts.includes(file))).toEqual([]);
  });
});
