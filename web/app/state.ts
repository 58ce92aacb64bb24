/** The one live state of the page. */
import { CallError } from "../../client/call-error.ts";
import { Connection, type Fetch } from "../../client/connection.ts";
import { LiveState } from "../../client/live-state.ts";
import { live } from "../ui/live.ts";

declare global {
  interface Window {
    /** The call to `/register` that the HTML began. */
    parleyRegister?: Promise<Response> | undefined;
  }
}

const fetchWithEarly: Fetch = (url, init) => {
  const early = url.endsWith("/register") ? window.parleyRegister : undefined;
  window.parleyRegister = undefined;
  return early ?? fetch(url, init);
};

export const state = new LiveState(
  new Connection({ site: "", credentials: "cookie", fetch: (url, init) => fetchWithEarly(url, init) }),
);

/** Whether there is a model. Regions are on the screen only then. */
export const isReady = () => live("generation", () => state.isReady);

/** Follows the server as long as the page lives. A session that ended leads to the form and back again. */
export async function run(): Promise<void> {
  try {
    await state.run(new AbortController().signal);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const { failure } = error;
    const status = "status" in failure ? failure.status : 0;
    if (status === 401) location.assign(`/login?next=${encodeURIComponent(`/${location.hash}`)}`);
  }
}
