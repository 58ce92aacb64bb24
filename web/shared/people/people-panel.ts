/** Whether the list of people is open, and whether its filter should have the focus. */
import { createSignal } from "solid-js";
import { keptChoice } from "../state/kept.ts";

/** There is room for a third column; otherwise the list covers the conversation. */
const wide = matchMedia("(min-width: 1100px)");

let kept: ReturnType<typeof keptChoice<boolean>> | undefined;
/** Made when it is first asked for: the account is known then. A list that covers is closed at the start. */
const choice = () => {
  kept ??= keptChoice("people-open", (stored) => stored === true && wide.matches);
  return kept;
};
/** Raised when the filter should have the focus. */
const [filterRequests, setFilterRequests] = createSignal(0);

export { filterRequests };

export const isPeopleOpen = (): boolean => choice().value();

export function setPeopleOpen(isOpen: boolean): void {
  choice().keep(isOpen);
}

export function filterPeople(): void {
  setPeopleOpen(true);
  setFilterRequests((count) => count + 1);
}

addEventListener("hashchange", () => {
  if (!wide.matches && kept?.value() === true) setPeopleOpen(false);
});
