import type { Endpoint, SampleIds } from "../../api/endpoint.ts";
import { registerQueue } from "../../api/integrations/real-time.ts";
import { withCastPassword } from "../harness/proofs.ts";
import { auditedCalls, auditedReads, sideActions } from "./audited.ts";
import type { Copy, Fixture, Look } from "./fixture.ts";
import type { Role } from "./people.ts";
import type { Things } from "./places.ts";
import {
  asIfAbout,
  call,
  channelKeys,
  errorNameOf,
  messageKeys,
  missingIds,
  type Outcome,
  type Sample,
} from "./sample-call.ts";
import type { Cell } from "./table.ts";

/** One call, and the things it names. */
export interface Step {
  role: Role;
  title: string;
  things: Things;
  /** Words of messages that the role may not read. */
  unreadable: readonly string[];
  /** Whether the role may know of the things that the call names. */
  mayKnow: boolean;
  /** Whether these are a channel or a message. Everyone in the organization may know of all other things. */
  isPlaced: boolean;
}

/** The response to a role about things that do not exist. */
interface Ghostly extends Outcome {
  /** Whether the call still did something: it created what it named. */
  isMaking: boolean;
}

const ghostPlace = Object.fromEntries([...channelKeys, ...messageKeys].map((key) => [key, missingIds[key]]));
let calls = 0;

/**
 * Calls that reveal that a thing exists, but nothing else of it. Sending to a channel that the sender may not
 * know of is refused as not authorized, as clients expect. That reveals little: ids are consecutive, and
 * names are unique.
 */
const namesTaken = new Set(["sendMessage", "callIncomingWebhook"]);

/** Makes one sample call in many situations, and returns the outcome of each. */
export class SampleCaller {
  readonly fixture: Fixture;
  readonly sample: Sample;
  readonly copy: Copy;
  /** Problems that no table may allow. */
  readonly problems: string[] = [];
  readonly #used: ReadonlySet<keyof SampleIds>;
  readonly #namesThings: boolean;
  readonly #isReading: boolean;
  readonly #ghosts = new Map<Role, Promise<Ghostly>>();
  #absenceOutside: string | undefined;
  /** What the copy held after the call before. A statement costs as much as a refused call. */
  #last: Look | undefined;
  /** How many calls have left an entry in the audit log. */
  auditedCount = 0;

  /**
   * `isReading`: the calls change nothing, so they may run at once. The caller of `cell` compares the heads
   * before them all with those after.
   */
  constructor(
    fixture: Fixture,
    sample: Sample,
    copy: Copy,
    { used, isReading }: { used: ReadonlySet<keyof SampleIds>; isReading: boolean },
  ) {
    this.fixture = fixture;
    this.sample = sample;
    this.copy = copy;
    this.#used = used;
    this.#isReading = isReading;
    this.#namesThings = [...used].some((key) => key !== "freshName");
  }

  async cell(step: Step): Promise<Cell> {
    const ids = { ...step.things, ...(await this.#queueFor(step.role)), freshName: freshName() };
    const outcome = this.#isReading
      ? await this.#call(step.role, ids)
      : await this.#callBetweenLooks(step, ids);
    this.#checkSecrets(step, outcome);
    const error = outcome.status === 200 ? undefined : errorNameOf(this.sample.endpoint, outcome);
    if (error === "notLoggedIn" || error === "invalidApiKey") return { is: "signedOut" };
    const mayBeHidden = this.#namesThings && (step.isPlaced || step.role === "stranger");
    if (mayBeHidden) return this.#judge(step, ids, outcome, error);
    return error === undefined ? { is: "allowed" } : { is: "refused", error, reveals: false };
  }

  async #callBetweenLooks(step: Step, ids: SampleIds): Promise<Outcome> {
    // To make a queue may change something too.
    const before = this.#used.has("queueId") ? await this.#look() : (this.#last ?? (await this.#look()));
    const outcome = await this.#call(step.role, ids);
    const after = await this.#look();
    const hasChanged = after.heads !== before.heads;
    this.#checkAuditLog(step, outcome, after.entries, hasChanged);
    if (outcome.status !== 200 && hasChanged) {
      this.problems.push(`${step.title}: was refused, and yet changed something: ${outcome.text}`);
    }
    return outcome;
  }

  /** Compares the response with the response about missing things. */
  async #judge(step: Step, ids: SampleIds, outcome: Outcome, error: string | undefined): Promise<Cell> {
    const ghost = await this.#ghost(step.role);
    const isAsIfAbsent = outcome.status === ghost.status && asIfAbout(ids, ghost.text) === outcome.text;
    if (error === undefined) {
      if (step.mayKnow || ghost.isMaking) return { is: "allowed" };
      if (isAsIfAbsent) return { is: "empty" };
      this.problems.push(`${step.title}: may not know of it, and yet: ${outcome.text}`);
      return { is: "allowed" };
    }
    if (isAsIfAbsent && error === (await this.#absence(step.role))) return { is: "absent" };
    // If a call creates what it names, it can't hide that a name is taken.
    const reveals = !step.mayKnow && !isAsIfAbsent && ghost.status !== 200;
    if (reveals && !namesTaken.has(this.sample.name))
      this.problems.push(`${step.title}: is told that there is something: ${outcome.text}`);
    return { is: "refused", error, reveals };
  }

  #ghost(role: Role): Promise<Ghostly> {
    let ghost = this.#ghosts.get(role);
    if (!ghost) {
      ghost = this.#callGhost(role);
      this.#ghosts.set(role, ghost);
    }
    return ghost;
  }

  async #callGhost(role: Role): Promise<Ghostly> {
    const own = this.fixture.thingsOf(role);
    const inside = { ...own, ...(await this.#queueFor(role)), ...ghostPlace };
    const ids = {
      ...(role === "stranger" ? { ...missingIds, topic: own.topic } : inside),
      freshName: freshName(),
    };
    if (this.#isReading) return { ...(await this.#call(role, ids)), isMaking: false };
    const before = await this.#look();
    const outcome = await this.#call(role, ids);
    return { ...outcome, isMaking: (await this.#look()).heads !== before.heads };
  }

  /** The error for a missing thing: the one that the owner, who may do everything, gets. */
  async #absence(role: Role): Promise<string | undefined> {
    if (role !== "stranger") return this.#nameOf(await this.#ghost("owner"));
    if (this.#absenceOutside === undefined) {
      const outcome = await this.#call("owner", { ...missingIds, freshName: freshName() });
      this.#absenceOutside = this.#nameOf(outcome);
      if (!this.#isReading) await this.#look();
    }
    return this.#absenceOutside;
  }

  #nameOf(outcome: Outcome): string | undefined {
    return outcome.status === 200 ? undefined : errorNameOf(this.sample.endpoint, outcome);
  }

  /** A stranger whose call names nothing of ours makes it at our address. */
  #call(role: Role, ids: SampleIds): Promise<Outcome> {
    const { endpoint, parameters } = this.sample;
    const headers = this.fixture.headersOf(role, this.#namesThings ? undefined : "here");
    return call(this.copy.app, endpoint, withCastPassword(endpoint, parameters(ids)), headers);
  }

  /** A queue of the role's own. Roles that can have none here use the owner's. */
  async #queueFor(role: Role): Promise<Pick<SampleIds, "queueId" | "lastEventId">> {
    if (!this.#used.has("queueId"))
      return { queueId: missingIds.queueId, lastEventId: missingIds.lastEventId };
    const holder = role === "stranger" || role === "nobody" ? "owner" : role;
    const parameters = { event_types: ["message"], fetch_event_types: [] };
    const headers = this.fixture.headersOf(holder);
    const { text } = await call(this.copy.app, registerQueue as Endpoint, parameters, headers);
    const { queue_id, last_event_id } = JSON.parse(text);
    return { queueId: queue_id, lastEventId: last_event_id };
  }

  /**
   * A change by an audited call leaves an entry of its action, and so does what an audited read shows. No
   * other call leaves any, and none holds a secret.
   */
  #checkAuditLog(step: Step, { status, text }: Outcome, entries: Look["entries"], hasChanged: boolean): void {
    if (this.sample.endpoint.method === "GET") return;
    const action = auditedCalls[this.sample.name];
    const hasEffect = auditedReads.has(this.sample.name) || hasChanged;
    const isAudited = status === 200 && action !== undefined && hasEffect;
    const side = status === 200 ? sideActions[this.sample.name]?.action : undefined;
    const actions = entries.map((entry) => entry.action).filter((each) => each !== side);
    if (isAudited) this.auditedCount++;
    if (isAudited ? !actions.includes(action) : actions.length > 0) {
      this.problems.push(`${step.title}: has the entries [${actions}] in the audit log: ${text}`);
    }
    const { password } = this.sample.parameters(missingIds);
    const given = typeof password === "string" ? [password] : [];
    const secrets = [...this.fixture.secrets, "$argon2", ...given, ...step.unreadable];
    const isTold = entries.some((entry) => secrets.some((secret) => entry.text.includes(secret)));
    if (isTold) this.problems.push(`${step.title}: left a secret in the audit log`);
  }

  /** What is there now, with the entries of the audit log since the look before. */
  async #look(): Promise<Look> {
    this.#last = await this.copy.look(this.#last?.lastEntry ?? 0);
    return this.#last;
  }

  /** No response may contain an API key, the hash of a password, or a message that the role may not read. */
  #checkSecrets({ title, unreadable }: Step, { text }: Outcome): void {
    // Only the bot's owner and administrators get its key: server/integrations/bots/bots.test.ts.
    const exempt = ["getBots", "getBotApiKey"].includes(this.sample.name) ? this.fixture.botKey : undefined;
    const secrets = [...this.fixture.secrets, "$argon2"].filter(
      (secret) => secret !== exempt && text.includes(secret),
    );
    if (secrets.length > 0) this.problems.push(`${title}: is told secrets: ${text}`);
    const messages = unreadable.filter((words) => text.includes(words));
    if (messages.length > 0)
      this.problems.push(`${title}: is told messages that are not for them: ${messages}`);
  }
}

function freshName(): string {
  return `fresh${++calls}`;
}
