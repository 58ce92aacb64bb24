/** The state of an open page, which its modules export. Each is evaluated once, so the test gets the same. */
import type { JSHandle, Page } from "playwright-core";
import type { LiveState } from "../../../../client/live-state.ts";

/** Looks among what the page's modules export. It is a text, since the test's compiler changes imports. */
const FIND = `(async () => {
  for (const { src } of document.querySelectorAll("script[type=module][src]")) {
    for (const one of Object.values(await import(src)))
      if (one && typeof one === "object" && "outbox" in one && "windows" in one) return one;
  }
  throw new Error("The page's modules export no state.");
})()`;

/** Valid until the page is loaded again. */
export async function liveStateOf(page: Page): Promise<JSHandle<LiveState>> {
  return (await page.evaluateHandle(FIND)) as JSHandle<LiveState>;
}
