import { beforeAll, describe, expect, test } from "vitest";
import { faultsOf } from "./cases/check-html.ts";
import { BUDGET_MS, hostileLookups, hostileTexts } from "./cases/hostile.ts";
import { createServerRenderer } from "./node/renderer.ts";

const renderer = createServerRenderer();
const lookups = hostileLookups();

/**
 * An ordinary text as long as the hostile texts. It takes 2 ms on a machine where the budget is
 * `BUDGET_MS`.
 */
const ordinaryText = "The soup is *ready*, said @**Ada Osei** in `code` of #**general**. "
  .repeat(150)
  .slice(0, 10_000);

/** The budget on this machine at this load. It grows in proportion to the time of an ordinary text. */
let budgetMs = BUDGET_MS;
beforeAll(() => {
  const ordinaryMs = Math.min(...Array.from({ length: 20 }, () => render(ordinaryText).tookMs));
  budgetMs = Math.max(BUDGET_MS, 50 * ordinaryMs);
});

describe("ten thousand characters of", () => {
  test.each(Object.entries(hostileTexts))(`%s take less than ${BUDGET_MS} ms`, (_, text) => {
    let best = Number.POSITIVE_INFINITY;
    let html = "";
    // The least of five, so that other load on the machine does not count.
    for (let i = 0; i < 5 && best >= budgetMs; i++) {
      const rendered = render(text);
      html = rendered.html;
      best = Math.min(best, rendered.tookMs);
    }
    expect(best).toBeLessThan(budgetMs);
    expect(faultsOf(html)).toEqual([]);
    expect(html.length).toBeLessThan(1_500_000);
  });
});

/** `tookMs` is processor time. */
function render(text: string): { html: string; tookMs: number } {
  const began = process.cpuUsage();
  const { html } = renderer.render(text, lookups);
  const { user, system } = process.cpuUsage(began);
  return { html, tookMs: (user + system) / 1000 };
}
