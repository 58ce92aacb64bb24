// Runs a scenario for every declared event while every role listens. Everyone who should receive the event
// must receive it. Nobody may receive anything about what they can't fetch, from a waiting queue or from the
// log.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { events } from "../../api/index.ts";
import { problemsWith } from "../harness/validate-reply.ts";
import {
  type Heard,
  Knowledge,
  type ListenerScope,
  Listeners,
  type ListeningQueue,
  namedIn,
} from "./listeners.ts";
import type { Role } from "./people.ts";
import { nameOf, type Scenario } from "./scenario.ts";
import { scenarios, withoutScenario } from "./scenarios.ts";

let listeners: Listeners;

beforeAll(async () => {
  listeners = await Listeners.open();
}, 60_000);
afterAll(() => listeners.close());

test("every declared event has a scenario", () => {
  const known = new Set([...scenarios.map(({ event }) => event), ...withoutScenario.keys()]);
  const missing = events.filter((event) => !known.has(event)).map(nameOf);
  expect(missing, "add them to test/permissions/scenarios/").toEqual([]);
});

describe("an event reaches everyone it is meant for, and nobody who may not know", () => {
  test.each(scenarios.map((scenario) => [nameOf(scenario.event), scenario] as const))(
    "%s",
    async (_, scenario) => {
      expect(await run(scenario)).toEqual([]);
    },
    60_000,
  );
});

/** An action of the scenario, between two positions of the log. */
interface Step {
  title: string;
  after: number;
  upTo: number;
  scope: ListenerScope | undefined;
  channelId: number | undefined;
  messageId: number | undefined;
  self: Role | undefined;
}

/** Returns the problems, as sentences. */
async function run(scenario: Scenario): Promise<string[]> {
  const isInChannels = "unheardOutside" in scenario;
  const scopes = isInChannels ? await listeners.furnish() : [];
  const narrowedTo = scopes[0] as ListenerScope | undefined;
  const ears = await listeners.listen(narrowedTo?.channel.name ?? "no such channel");
  // They leave a moment before: their queues exist already and have been read up to nothing.
  await listeners.leave(scopes.filter(({ relation }) => relation === "was subscribed"));
  const startedAt = listeners.harness.state.position;
  const before = new Knowledge(listeners);
  await askBefore(before, scopes);
  const steps = await take(scenario, scopes);
  const after = new Knowledge(listeners);
  const judge = new Judge(scenario, steps, before, after, narrowedTo);
  const since = (ear: ListeningQueue, events: Heard[]) =>
    events.filter(({ id }) => id > startedAt || ear.role === "stranger");
  const listenAll = (listen: (ear: ListeningQueue) => Promise<unknown>) => Promise.all(ears.map(listen));
  await listenAll(async (ear) => {
    const heard = since(ear, await listeners.hear(ear));
    await judge.state(ear, heard);
    await judge.again(ear, heard, since(ear, await listeners.hearFromLog(ear)));
  });
  if (isInChannels) {
    await listeners.leave(scopes.filter(({ relation }) => relation === "subscribed"));
    const now = new Knowledge(listeners);
    await listenAll(async (ear) => judge.afterLeaving(ear, now, await listeners.hearFromLog(ear)));
  }
  await listeners.stopListening(ears);
  return judge.problems.sort();
}

/** Fetches in time what can't be fetched after its deletion. */
async function askBefore(before: Knowledge, scopes: readonly ListenerScope[]): Promise<void> {
  const roles = [...listeners.listeners.keys()];
  await Promise.all(
    scopes.flatMap(({ channel, earlier, received }) =>
      roles.flatMap((role) => [
        before.seesChannel(role, channel.id),
        before.readsChannel(role, channel.id),
        before.readsMessage(role, earlier),
        before.readsMessage(role, received),
      ]),
    ),
  );
}

async function take(scenario: Scenario, scopes: readonly ListenerScope[]): Promise<Step[]> {
  const steps: Step[] = [];
  const { state } = listeners.harness;
  const step = async (
    about: Partial<Step> & { title: string },
    cause: (begin: () => void) => Promise<unknown>,
  ): Promise<void> => {
    let begun = state.position;
    const returned = (await cause(() => {
      begun = state.position;
    })) as { channelId?: number } | undefined;
    const channelId = returned?.channelId ?? about.scope?.channel.id;
    const { title, scope, messageId, self } = about;
    steps.push({ title, scope, messageId, self, channelId, after: begun, upTo: state.position });
  };
  if ("unheardOutside" in scenario) {
    for (const scope of scopes) {
      const { kind, relation, channel } = scope;
      const messages =
        scenario.hears === "readers" ? (["received", "earlier"] as const) : (["received"] as const);
      for (const when of messages) {
        const messageId = scope[when];
        const place = { kind, channel: { id: channel.id as number, name: channel.name }, messageId };
        await step({ title: `${kind}, ${relation}, ${when}`, scope, messageId }, (begin) =>
          scenario.cause({ ...listeners.scene(), begin, ...place }),
        );
      }
    }
  } else if (scenario.hears === "oneself") {
    for (const [role, self] of listeners.listeners) {
      if (role === "stranger" || scenario.exceptFor.includes(role)) continue;
      await step({ title: `of the ${role}`, self: role }, (begin) =>
        scenario.cause({ ...listeners.scene(), begin, self }),
      );
    }
  } else {
    await step({ title: "for all" }, (begin) => scenario.cause({ ...listeners.scene(), begin }));
  }
  return steps;
}

class Judge {
  readonly problems: string[] = [];
  readonly #scenario: Scenario;
  readonly #steps: readonly Step[];
  readonly #before: Knowledge;
  readonly #after: Knowledge;
  readonly #narrowedTo: ListenerScope | undefined;

  constructor(
    scenario: Scenario,
    steps: readonly Step[],
    before: Knowledge,
    after: Knowledge,
    narrowedTo: ListenerScope | undefined,
  ) {
    this.#scenario = scenario;
    this.#steps = steps;
    this.#before = before;
    this.#after = after;
    this.#narrowedTo = narrowedTo;
  }

  /** Checks the events of a queue that was waiting. */
  async state(ear: ListeningQueue, heard: readonly Heard[]): Promise<void> {
    for (const step of this.#steps) {
      const during = heard.filter(({ id }) => id > step.after && id <= step.upTo);
      for (const event of ear.role === "stranger" ? heard : during) {
        if (!(await this.#mayKnow(ear, event, [this.#before, this.#after]))) {
          this.#note(step.title, ear, "hears what they may not know", event);
        }
      }
      if (!this.#scenario.clients.includes(ear.form.client)) continue;
      const found = during.some((event) => this.#isIt(event));
      const shouldHear = await this.#shouldHear(ear, step);
      if (found && !shouldHear) this.#note(step.title, ear, "hears what is not for them");
      if (!found && shouldHear) this.#note(step.title, ear, "does not hear it");
    }
  }

  /** The log must hold for the queue what was delivered, except what its owner may no longer know. */
  async again(ear: ListeningQueue, heard: readonly Heard[], again: readonly Heard[]): Promise<void> {
    const came = new Map(heard.map((event) => [event.id, event]));
    const found = new Set(again.map(({ id }) => id));
    for (const event of again) {
      if (!came.has(event.id)) this.#note("again", ear, "finds in the log what had not come", event);
    }
    for (const event of heard) {
      if (event.type === "heartbeat" || found.has(event.id)) continue;
      if (await this.#mayKnow(ear, event, [this.#after])) {
        this.#note("again", ear, "does not find in the log what had come", event);
      }
    }
  }

  /** Checks what the log has for the queue after its owner has left the channels. */
  async afterLeaving(ear: ListeningQueue, now: Knowledge, again: readonly Heard[]): Promise<void> {
    for (const event of again) {
      if (!(await this.#mayKnow(ear, event, [now])))
        this.#note("later", ear, "still finds in the log", event);
    }
  }

  #isIt(event: Heard): boolean {
    const { type, op, schema } = this.#scenario.event;
    return event.type === type && event.op === op && problemsWith(schema, event).length === 0;
  }

  /**
   * Only a user who may fetch what an event names may get that event, except an event that ends their access.
   */
  async #mayKnow({ role }: ListeningQueue, event: Heard, times: readonly Knowledge[]): Promise<boolean> {
    const isFarewell =
      (event.type === "subscription" && event.op === "remove") ||
      (event.type === "stream" && event.op === "delete");
    const isReading = event.type === "update_message_flags" && event.op === "add" && event.flag === "read";
    const { channels, messages, tellsOfTopics } = namedIn(event);
    for (const id of isFarewell ? [] : channels) {
      const knows = (time: Knowledge) =>
        tellsOfTopics ? time.readsChannel(role, id) : time.seesChannel(role, id);
      if (!(await anyTime(times, knows))) return false;
    }
    for (const id of messages) {
      if (await anyTime(times, (time) => time.readsMessage(role, id))) continue;
      // A user who leaves a channel gets an event on the received messages that are read now.
      if (isReading && (await this.#after.received(role, id))) continue;
      // For a message that is deleted, or unreadable when the event arrives, access to the channel decides.
      const isAfterwards = !times.includes(this.#before);
      const isOver = event.type === "delete_message" || (await this.#after.isGone(id));
      if (!isAfterwards || !isOver) return false;
    }
    return role !== "stranger";
  }

  async #shouldHear({ role, form }: ListeningQueue, step: Step): Promise<boolean> {
    const scenario = this.#scenario;
    if (role === "stranger") return false;
    if (form.isNarrowed && scenario.event.type === "message" && !this.#isNarrowedTo(step)) return false;
    if (scenario.hears === "everyone") return true;
    if (scenario.hears === "everyone but guests") return role !== "guest";
    if (scenario.hears === "administrators") return role === "owner" || role === "administrator";
    if (scenario.hears === "oneself") return role === step.self;
    if (scenario.hears === "seers") return this.#after.seesChannel(role, step.channelId as number);
    const { kind, relation } = step.scope as ListenerScope;
    const isOutside = form.overhears && !kind.startsWith("private") && !isUnheardOutside(scenario);
    if (relation !== "subscribed" && !isOutside) return false;
    if (scenario.hears === "subscribers") return true;
    const times = [this.#before, this.#after];
    return anyTime(times, (time) => time.readsMessage(role, step.messageId as number));
  }

  #isNarrowedTo({ scope }: Step): boolean {
    return scope !== undefined && scope === this.#narrowedTo;
  }

  #note(title: string, { role, form }: ListeningQueue, what: string, event?: Heard): void {
    const text = event === undefined ? "" : `: ${JSON.stringify(event).slice(0, 300)}`;
    this.problems.push(`${title}: the ${role} (${form.title}) ${what}${text}`);
  }
}

function isUnheardOutside(scenario: Scenario): boolean {
  return "unheardOutside" in scenario && scenario.unheardOutside;
}

async function anyTime(
  times: readonly Knowledge[],
  knows: (time: Knowledge) => Promise<boolean>,
): Promise<boolean> {
  for (const time of times) if (await knows(time)) return true;
  return false;
}
