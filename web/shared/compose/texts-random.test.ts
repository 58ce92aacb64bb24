import { expect, test } from "vitest";
import type { TopicMove } from "../../../client/moved-topics.ts";
import type { Conversation } from "../../../client/narrow.ts";
import { placeKey } from "./begun-text.ts";
import { comeToRest, FakeBrowser, FakePage, FakeServer, settle } from "./fake-pages.ts";

const STEPS = 300;
const seed = Number(process.env.TEXTS_SEED ?? Date.now() % 1_000_000);

/** A page with somebody in front of it, whose box is turned to a place. */
interface Person {
  page: FakePage;
  place: Conversation;
}

class Walk {
  readonly server = new FakeServer();
  readonly laptop = new FakeBrowser();
  readonly phone = new FakeBrowser();
  readonly persons: Person[] = [];
  readonly typed = new Set<string>();
  readonly sent: string[] = [];
  readonly places: Conversation[] = [
    { kind: "channel", channelId: 1, topic: "soup" },
    { kind: "channel", channelId: 1, topic: undefined },
    { kind: "direct", userIds: [2] },
    { kind: "direct", userIds: [] },
  ];
  #seed: number;
  #count = 0;

  constructor(start: number, { hasPhone = true } = {}) {
    this.#seed = start;
    for (const browser of [this.laptop, this.laptop, ...(hasPhone ? [this.phone] : [])])
      this.persons.push({ page: new FakePage(this.server, browser), place: this.pick(this.places) });
  }

  below(limit: number): number {
    this.#seed = (this.#seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((this.#seed / 2_147_483_648) * limit);
  }

  pick<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T;
  }

  async step(): Promise<void> {
    const person = this.pick(this.persons);
    const { page } = person;
    const actions: [weight: number, run: () => void | Promise<void>][] = [
      [6, () => this.type(person)],
      [2, () => this.send(person)],
      [2, () => this.turn(person, this.pick(this.places))],
      [1, () => this.choose(person)],
      [1, () => this.begin(person)],
      [1, () => this.rename()],
      [1, () => this.reload(person)],
      [3, () => page.store.flush()],
      [3, () => page.save()],
      [4, () => page.hear()],
      [4, () => this.follow(page.handleEvents(1 + this.below(3)), person)],
      [6, () => this.server.calls.shift()?.()],
    ];
    let at = this.below(actions.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, run] of actions) {
      at -= weight;
      if (at >= 0) continue;
      await run();
      break;
    }
    await settle();
  }

  type({ page, place }: Person): void {
    const word = `w${++this.#count}`;
    this.typed.add(word);
    const text = page.store.at(place);
    page.store.write(place, `${text?.content ?? ""} ${word}`.trim(), text?.topic ?? "");
  }

  send({ page, place }: Person): void {
    const content = page.store.at(place)?.content ?? "";
    if (content === "") return;
    this.sent.push(content);
    page.store.removeIfSent(place, content);
  }

  turn(person: Person, place: Conversation): void {
    person.page.store.leave(person.place);
    person.place = place;
  }

  choose(person: Person): void {
    const to = this.pick(this.places);
    if (placeKey(to) === placeKey(person.place) || !person.page.store.takeAlong(person.place, to))
      person.page.store.leave(person.place);
    person.place = to;
  }

  begin({ page, place }: Person): void {
    const word = `w${++this.#count}`;
    this.typed.add(word);
    page.store.begin(place, word);
  }

  rename(): void {
    const [topic] = this.places;
    if (topic?.kind !== "channel" || topic.topic === undefined) return;
    const from = { channelId: topic.channelId, topic: topic.topic };
    const to = { channelId: 1, topic: `soup ${++this.#count}` };
    this.places[0] = { kind: "channel", ...to };
    this.server.emit({ kind: "move", move: { from, to } });
  }

  follow(moves: readonly TopicMove[], person: Person): void {
    for (const { from, to } of moves)
      if (placeKey(person.place) === placeKey({ kind: "channel", ...from }))
        person.place = { kind: "channel", ...to };
  }

  /**
   * What two devices saved at once is settled by the one that learns it. So it learns that before it goes,
   * and what it was just saving has its answer: decision 44 says what a page that goes in that moment can
   * lose.
   */
  async reload(person: Person): Promise<void> {
    for (let call = this.server.calls.shift(); call; call = this.server.calls.shift()) {
      call();
      await settle();
    }
    person.page.handleEvents(Infinity);
    person.page.close();
    person.page = new FakePage(this.server, person.page.browser);
  }

  /** What is on a screen, in a list of drafts, on the server or on its way from there, or sent. */
  known(): Set<string> {
    const pages = this.server.pages;
    const shown = pages.flatMap(({ store }) => store.list().map(({ content }) => content));
    const coming = pages.flatMap(({ events }) =>
      events.flatMap((event) => (event.kind === "put" ? event.draft.content : [])),
    );
    const kept = [...this.server.drafts.values()].map(({ content }) => content);
    return new Set([...shown, ...coming, ...kept, ...this.sent].join(" ").split(" "));
  }

  /** Begun texts that say what was sent, ready to be sent again. */
  leftOver(): string[] {
    const begun = this.server.pages.flatMap(({ store }) => store.list().map(({ content }) => content));
    return begun.filter((content) => this.sent.includes(content));
  }

  lost(): string[] {
    const known = this.known();
    return [...this.typed].filter((word) => !known.has(word));
  }
}

test(`what was typed is on a screen, in a list of drafts, on the server, or sent (TEXTS_SEED=${seed})`, async () => {
  for (let round = 0; round < 40; round++) {
    const walk = new Walk(seed + round);
    for (let step = 0; step < STEPS; step++) {
      await walk.step();
      expect(walk.lost(), `seed ${seed + round}, step ${step}`).toEqual([]);
    }
    await comeToRest(walk.server);
    expect(walk.lost(), `seed ${seed + round}, at rest`).toEqual([]);
    for (const person of walk.persons) await walk.reload(person);
    expect(walk.lost(), `seed ${seed + round}, reloaded`).toEqual([]);
  }
});

// Two devices may keep a text that one of them has sent: decision 44 says when.
test(`nothing that was sent is left to be sent again by another tab (TEXTS_SEED=${seed})`, async () => {
  for (let round = 0; round < 40; round++) {
    const walk = new Walk(seed + round, { hasPhone: false });
    for (let step = 0; step < STEPS; step++) await walk.step();
    await comeToRest(walk.server);
    expect(walk.leftOver(), `seed ${seed + round}, at rest`).toEqual([]);
  }
});
