import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { t } from "../../i18n/t.ts";

/** Why a message could not be sent. */
export function failureOf({ isHeld, problem = "" }: OutgoingMessage): string {
  return isHeld ? t("feed.held") : problem;
}
