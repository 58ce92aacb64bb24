/** The one live state of the page. */
import { getOwnUser } from "../../../api/people/users.ts";
import { CallError } from "../../../client/call-error.ts";
import { Connection, type Fetch } from "../../../client/connection.ts";
import { LiveState } from "../../../client/live-state.ts";
import { t } from "../../i18n/t.ts";
import { live } from "../../ui/live.ts";
import { forgetVisits } from "../routing/forget-visits.ts";
import { forgetSearches } from "../search/recent-searches.ts";

declare global {
  interface Window {
    /** The call to `/register` that the HTML began. */
    parleyRegister?: Promise<Response> | undefined;
  }
}

const fetchWithEarly: Fetch = (url, init) => {
  const early = url.endsWith("/register") ? window.parleyRegister : undefined;
  window.parleyRegister = undefined;
  return early ?? (url.includes("/events?") ? fetchHeld(url, init) : fetch(url, init));
};

/** A held call would go on waiting for a minute when the network has gone. */
async function fetchHeld(url: string, init: Parameters<Fetch>[1]): Promise<Response> {
  const held = new AbortController();
  const end = () => held.abort();
  addEventListener("offline", end);
  init.signal.addEventListener("abort", end);
  try {
    return await fetch(url, { ...init, signal: held.signal });
  } finally {
    removeEventListener("offline", end);
  }
}

export const state = new LiveState(
  new Connection({
    site: "",
    credentials: "cookie",
    fetch: (url, init) => fetchWithEarly(url, init),
    describe: (problem) => t(`connection.${problem}`),
    describeError: (code, fields) => t(`error.${code}`, fields),
  }),
);

addEventListener("online", () => state.tryNow());
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") state.tryNow();
});

/** Whether there is a model. Regions are on the screen only then. */
export const isReady = () => live("generation", () => state.isReady);

/**
 * Follows the server as long as the page lives. A session that ended leads to the page for signing in, and
 * back again. One that may do nothing without a second step leads to where it is set up.
 */
export async function run(onEnded: () => Promise<void>): Promise<void> {
  try {
    await state.run(new AbortController().signal);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { failure } = error;
    const next = encodeURIComponent(`/${location.hash}`);
    if (failure.kind === "api" && failure.code === "SECOND_STEP_SETUP_REQUIRED")
      location.assign(`/login/set-up?next=${next}`);
    else if ("status" in failure && failure.status === 401) {
      // A change of second steps gives this browser another session, and ends the poll of the old one.
      if (await isStillSignedIn()) return run(onEnded);
      forgetSearches();
      forgetVisits();
      await onEnded();
      location.assign(loginAddress());
    }
  }
}

/** The form, which leads back here. `_place`: so that links follow the address. */
export function loginAddress(_place?: unknown): string {
  return `/login?next=${encodeURIComponent(`/${location.hash}`)}`;
}

/** Asked after a moment, when the reply with the new cookie has come. */
async function isStillSignedIn(): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve, 500));
  try {
    await state.connection.call(getOwnUser, {});
    return true;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return false;
  }
}
