import { fold } from "../../client/autocomplete/fold.ts";
import type { Model } from "../../client/model/model.ts";
import { idle } from "../shared/page/when-idle.ts";
import { state } from "../shared/state/state.ts";

/** Takes about a millisecond. */
const AT_ONCE = 500;
let folded: Model | undefined;

/**
 * Names are folded once, which takes long for the first key among ten thousand people. So it happens between
 * the keys before. `onDone`: called once for all people.
 */
export async function foldNames(onDone: () => void): Promise<void> {
  const { model } = state;
  if (folded === model) return;
  folded = model;
  const names = [...model.users.byId.values()].map(({ fullName }) => fullName);
  for (let at = 0; at < names.length; at += AT_ONCE) {
    await idle();
    for (const name of names.slice(at, at + AT_ONCE)) fold(name);
  }
  await idle();
  onDone();
}
