import { lazyPart } from "../../i18n/lazy-part.ts";
import { openOverlay } from "../../ui/overlay.ts";

const UserCard = lazyPart(async () => (await import("./user-card.tsx")).UserCard);

/** Shows beside their name who somebody is. */
export function openUserCard(userId: number, anchor: Element): void {
  openOverlay((close) => <UserCard userId={userId} anchor={anchor} onClose={close} />);
}
