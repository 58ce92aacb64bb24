/**
 * What ends what somebody holds, and what goes on nevertheless. Whatever an ending does not name here must
 * end.
 */

import { roles } from "../../../api/roles.ts";
import { resetSecondSteps } from "../../../server/accounts/second-steps/actions.ts";
import { channels } from "../../../server/channels/channel.ts";
import { deactivateOrganization } from "../../../server/organization/deactivate.ts";
import { permitEmailChanges } from "../../../server/people/update/permit-email-changes.ts";
import { type User, users } from "../../../server/people/user.ts";
import { runStateChange } from "../../../server/platform/log/change.ts";
import { mailedPath, OTHER_PASSWORD, PASSWORD } from "../../harness/accounts.ts";
import { expectSuccess } from "../../harness/answers.ts";
import { Authenticator } from "../../harness/authenticator.ts";
import { CAST_PASSWORD } from "../../harness/cast.ts";
import { type Answer, type Caller, type Harness, HOST } from "../../harness/harness.ts";
import type { HttpNode } from "../../harness/http-node.ts";
import { ownPageHeaders } from "../../harness/own-page-headers.ts";
import { addPasskey } from "../../harness/passkeys.ts";
import { cookieIn } from "../../harness/sessions.ts";
import { authorizationOf } from "../../harness/uploads.ts";
import { type HeldName, holds, passkeyPlace } from "./held.ts";
import { callerAt, type Person } from "./person.ts";

interface Ending {
  /** Asks a node for it. */
  act(place: Place): Promise<unknown>;
  /** What goes on, with the reason. */
  goesOn: Partial<Record<HeldName, string>>;
}

const another = { "another person's program": "It is another's." } as const;

function all(names: readonly HeldName[], reason: string): Partial<Record<HeldName, string>> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

const heldBy = (word: string) => (Object.keys(holds) as HeldName[]).filter((name) => name.includes(word));
const ofProgram: HeldName[] = [...heldBy("a program"), "messages of the private channel", "an assistant"];
/** What needs the key alone, or was let in before. */
const ofKey: HeldName[] = ["an assistant", "a poll of a program", "a temporary address, from a program"];
const ofBot = heldBy("a bot");
const shared: HeldName[] = ["an invitation link", "a link to an export"];

/** What does not depend on how the person signs in by browsers. */
const programsGoOn = {
  ...another,
  ...all(ofProgram, "An API key is no session, and has an end of its own."),
  ...all(ofBot, "A bot has a key of its own."),
  ...all(
    shared,
    "It is for others, or for an administrator who still is one, and the list of these ends it.",
  ),
};
const here = { "the browser that asks": "It has shown who it is, and goes on with another token." } as const;
const everything = (reason: string) => all(Object.keys(holds) as HeldName[], reason);

function without(
  goesOn: Partial<Record<HeldName, string>>,
  names: readonly HeldName[],
): Partial<Record<HeldName, string>> {
  return Object.fromEntries(Object.entries(goesOn).filter(([name]) => !names.includes(name as HeldName)));
}

interface Place {
  harness: Harness;
  node: HttpNode;
  person: Person;
}

const as = ({ node, person }: Place) => callerAt(node, person.here);

/** Asks in the browser, which goes on with the cookie that it gets. */
async function asking(place: Place, ask: (browser: Caller) => Promise<Answer>): Promise<void> {
  const answer = await ask(as(place));
  await expectSuccess(Promise.resolve(answer));
  const { person } = place;
  person.here = { ...person.here, cookie: cookieIn(answer.headers["set-cookie"]) };
}

const codeOf = ({ person }: Place) => person.recoveryCodes.pop() as string;
const asAda = ({ harness, node }: Place) =>
  callerAt(node, { host: HOST, authorization: authorizationOf(harness, "ada") });

export const endings: Readonly<Record<string, Ending>> = {
  "an administrator deactivates the account": {
    act: (place) => expectSuccess(asAda(place).delete(`/users/${place.person.id}`)),
    goesOn: another,
  },
  "the person deactivates the account": {
    act: (place) => expectSuccess(as(place).delete("/users/me")),
    goesOn: another,
  },
  "the person changes the password": {
    act: (place) => {
      const change = { old_password: PASSWORD, new_password: OTHER_PASSWORD };
      return asking(place, (browser) => browser.patch("/settings", change));
    },
    goesOn: { ...programsGoOn, ...here },
  },
  "the person sets a password by a mailed link": {
    async act({ harness, node, person }) {
      const url = await mailedPath(harness, person.email);
      const { statusCode } = await node.app.inject({
        method: "POST",
        url,
        headers: { host: HOST, "content-type": "application/x-www-form-urlencoded", ...ownPageHeaders },
        payload: new URLSearchParams({ password: OTHER_PASSWORD }).toString(),
      });
      if (statusCode !== 200) throw new Error(`the link was answered with ${statusCode}`);
    },
    // The key is replaced too, since somebody else may have had it.
    goesOn: without(programsGoOn, [...ofProgram, "a link to an export"]),
  },
  "the person removes the second step": {
    act: (place) => asking(place, (browser) => browser.delete("/second_steps/totp", { code: codeOf(place) })),
    goesOn: { ...programsGoOn, ...here },
  },
  "the person adds a passkey": {
    act: (place) =>
      asking(place, async (browser) => {
        const asked = browser.post("/passkeys/registration_options", { code: codeOf(place) });
        const { challenge } = (await expectSuccess(asked)).options;
        const credential = new Authenticator().create({ ...passkeyPlace, challenge });
        return browser.post("/passkeys", { credential, name: "Laptop" });
      }),
    goesOn: { ...programsGoOn, ...here },
  },
  "the person removes a passkey": {
    async act(place) {
      const { harness, person } = place;
      const user = harness.state.get(users).find(person.id) as User;
      const id = await addPasskey(harness, { state: harness.state, user });
      await asking(place, (browser) => browser.delete(`/passkeys/${id}`, { code: codeOf(place) }));
    },
    goesOn: { ...programsGoOn, ...here },
  },
  "the operator removes the second step": {
    act: ({ node: { services, state }, person }) =>
      runStateChange(state, (tx) => resetSecondSteps(tx, services, person.id)),
    goesOn: programsGoOn,
  },
  "the person removes an identity of a provider": {
    act: (place) =>
      asking(place, (browser) =>
        browser.delete(`/identities/${place.person.identityId}`, { code: codeOf(place) }),
      ),
    goesOn: { ...programsGoOn, ...here },
  },
  "the person signs all other browsers out": {
    async act(place) {
      const { sessions } = await expectSuccess(as(place).get("/sessions"));
      const others = sessions.filter(({ is_current }: { is_current: boolean }) => !is_current);
      for (const { id } of others) await expectSuccess(as(place).delete(`/sessions/${id}`));
    },
    goesOn: { ...programsGoOn, ...here },
  },
  "the person signs out": {
    act: (place) => expectSuccess(as(place).delete("/session")),
    goesOn: without(everything("It was begun elsewhere, and nobody said that it should end."), [
      "the browser that asks",
    ]),
  },
  "the person replaces the API key": {
    act: ({ node, person }) => expectSuccess(callerAt(node, person.key).post("/users/me/api_key/regenerate")),
    goesOn: without(everything("It does not come from the key."), [...ofProgram, "a link to an export"]),
  },
  "the person replaces the key of the bot": {
    act: ({ node, person }) =>
      expectSuccess(callerAt(node, person.key).post(`/bots/${person.bot.id}/api_key/regenerate`)),
    goesOn: without(everything("It is the person's, and not the bot's."), ofBot),
  },
  "the person deactivates the bot": {
    act: ({ node, person }) => expectSuccess(callerAt(node, person.key).delete(`/bots/${person.bot.id}`)),
    goesOn: without(everything("It is the person's, and not the bot's."), ofBot),
  },
  "an administrator gives the account another address": {
    async act(place) {
      const { harness, person, node } = place;
      const ada = node.state.get(users).find(harness.user("ada").id) as User;
      await runStateChange(node.state, (tx) => permitEmailChanges(tx, ada, true));
      const new_email = `moved-${person.email}`;
      const change = { new_email, password: CAST_PASSWORD };
      await expectSuccess(asAda(place).patch(`/users/${person.id}`, change));
    },
    // A program that sends the former address with the key must be told the new one. The key itself stays.
    goesOn: without(everything("It is not of the mailbox."), [
      "a link for another password",
      "a link for another address",
      ...ofProgram.filter((name) => !ofKey.includes(name)),
    ]),
  },
  "an administrator takes the role": {
    act: (place) => expectSuccess(asAda(place).patch(`/users/${place.person.id}`, { role: roles.member })),
    goesOn: {
      ...another,
      ...all(ofProgram, "Each call asks for the role of now."),
      ...all(ofBot, "Each call asks for the bot's own role."),
    },
  },
  "an administrator takes the person out of the channel": {
    act: (place) => {
      const { channelId, id } = place.person;
      const subscriptions = [place.harness.state.get(channels).byId.get(channelId)?.name];
      return expectSuccess(
        asAda(place).delete("/users/me/subscriptions", { subscriptions, principals: [id] }),
      );
    },
    goesOn: without(everything("It is not of the channel."), [
      "messages of the private channel",
      ...heldBy("a file, "),
      ...heldBy("a temporary address"),
    ]),
  },
  "the organization is deactivated": {
    act: ({ node }) => runStateChange(node.state, deactivateOrganization),
    goesOn: {},
  },
};
