/** A press on a mention in a message opens the card of the person, by pointer and by key. */
import { onCleanup } from "solid-js";
import { openUserCard } from "./open-user-card.tsx";

export function openMentionedPeople(): void {
  const onClick = ({ target }: Event) => openFrom(target);
  const onKeyDown = (event: KeyboardEvent) => {
    if ((event.key === "Enter" || event.key === " ") && openFrom(event.target)) event.preventDefault();
  };
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onKeyDown);
  onCleanup(() => {
    document.removeEventListener("click", onClick);
    document.removeEventListener("keydown", onKeyDown);
  });
}

function openFrom(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  const mention = target.closest<HTMLElement>('.user-mention[role="button"]');
  if (!mention) return false;
  openUserCard(Number(mention.dataset.userId), mention);
  return true;
}
