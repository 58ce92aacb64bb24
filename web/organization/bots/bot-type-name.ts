import { botTypes } from "../../../api/integrations/bots.ts";
import { t } from "../../i18n/t.ts";

export function botTypeName(type: number): string {
  if (type === botTypes.incomingWebhook) return t("bots.type.incoming");
  return t(type === botTypes.outgoingWebhook ? "bots.type.outgoing" : "bots.type.generic");
}
