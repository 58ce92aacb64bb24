/** What lies between the pages and the server: calls that take long, are held for a while, or get lost. */
import type { BrowserContext, Request, Route } from "playwright-core";
import type { Dice } from "./dice.ts";

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

  constructor(context: BrowserContext, dice: Dice) {
    this.#context = context;
    this.#dice = dice;
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
    if (pathname.endsWith("/events") && queue !== null) this.queues.set(pageOf(request), queue);
    const isPoll = pathname.endsWith("/events");
    try {
      // A call is lost before it reaches the server, so that a second attempt says nothing twice.
      if (this.weather === "failing" && this.#dice.chance(60)) return await route.abort("connectionfailed");
      if (this.weather === "slow" && !isPoll) await pause(this.#dice.between(50, 1500));
      if (this.weather === "held" && !isPoll && this.#dice.chance(40))
        await pause(this.#dice.between(1000, 6000));
      await route.continue();
    } catch {
      // The page has given the call up, or is gone.
    }
  }
}

const names = new WeakMap<object, string>();
let named = 0;

/** A name for the page that makes a call. */
function pageOf(request: Request): string {
  const page = request.frame().page();
  const name = names.get(page) ?? `page ${++named}`;
  names.set(page, name);
  return name;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
