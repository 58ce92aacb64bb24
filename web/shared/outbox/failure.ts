import type { OutgoingMessage } from "../../../client/outbox/message.ts";
import { t } from "../../i18n/t.ts";

/** Why a message was not sent that has failed. */
export function failureOf({ isHeld, problem = "" }: OutgoingMessage): string {
  return isHeld ? t("feed.held") : problem;
}
