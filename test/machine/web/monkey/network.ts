/** What lies between the pages and the server: calls that take long, are held for a while, or get lost. */
import type { BrowserContext, Request, Route } from "playwright-core";
import type { Dice } from "./dice.ts";
import { type Story, wordsIn } from "./story.ts";

export type Weather = "fair" | "slow" | "held" | "failing";

export class Network {
  weather: Weather = "fair";
  isOnline = true;
  /** Since when both the network and the server can be reached. */
  fairSince = Date.now();
  /** The queues that pages have polled last. */
  readonly queues = new Map<string, string>();
  readonly #dice: Dice;
  readonly #context: BrowserContext;
  readonly #story: Story;

  constructor(context: BrowserContext, dice: Dice, story: Story) {
    this.#context = context;
    this.#dice = dice;
    this.#story = story;
  }

  async watch(): Promise<void> {
    await this.#context.route("**/api/v1/**", (route) => this.#carry(route));
  }

  change(weather: Weather): void {
    if (weather === "fair" && this.weather !== "fair") this.fairSince = Date.now();
    this.weather = weather;
  }

  async turn(isOnline: boolean): Promise<void> {
    if (isOnline && !this.isOnline) this.fairSince = Date.now();
    this.isOnline = isOnline;
    await this.#context.setOffline(!isOnline);
  }

  /** How long all calls have been getting through. */
  get fairMs(): number {
    return this.weather === "fair" && this.isOnline ? Date.now() - this.fairSince : 0;
  }

  async #carry(route: Route): Promise<void> {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    const queue = searchParams.get("queue_id");
    const isPoll = pathname.endsWith("/events");
    try {
      if (isPoll && queue !== null) this.queues.set(this.#pageOf(request), queue);
      const note = this.#noteOf(request, pathname);
      note("leaves the page");
      // A call is lost before it reaches the server, so that a second attempt says nothing twice.
      if (this.weather === "failing" && this.#dice.chance(60)) {
        note("is lost on its way");
        return await route.abort("connectionfailed");
      }
      if (this.weather === "slow" && !isPoll) await pause(this.#dice.between(50, 1500));
      if (this.weather === "held" && !isPoll && this.#dice.chance(40))
        await pause(this.#dice.between(1000, 6000));
      void request.response().then(
        (response) => note(response ? `is answered with ${response.status()}` : "gets no answer"),
        () => note("gets no answer"),
      );
      await route.continue();
    } catch {
      // The page has given the call up, or is gone.
    }
  }

  /** Notes what becomes of a call that carries words of the person's. */
  #noteOf(request: Request, pathname: string): (event: string) => void {
    const body = request.postData() ?? "";
    const words = wordsIn(body);
    if (words.size === 0) return () => undefined;
    const localId = new URLSearchParams(body).get("local_id");
    const place = ["to", "topic"].map((name) => new URLSearchParams(body).get(name) ?? "").join(" ");
    const call = `${request.method()} ${pathname} (to ${place}, local id ${localId})`;
    const who = this.#pageOf(request);
    return (event) => {
      for (const word of words) this.#story.note(word, `${call} of ${who} ${event}`);
    };
  }

  #pageOf(request: Request): string {
    return this.#story.nameOf(request.frame().page());
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
