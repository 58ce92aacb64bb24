import { Show } from "solid-js";
import { organizationSettings } from "../../api/administration/organization-settings.ts";
import type { Channel } from "../../client/model/channels.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { createEdit, EditEnd } from "../ui/edit.tsx";
import { Select, TextField } from "../ui/fields.tsx";
import { live } from "../ui/live.ts";
import { changeChannel } from "./change-channel.ts";

/** null: as in the organization. -1: forever. */
type Days = number | null;

const USUAL_DAYS = 90;

/** How long messages are kept. Only owners choose it. */
export function Retention(props: { channel: Channel; mayChange: boolean }) {
  const edit = createEdit<Days>({
    read: () => props.channel.messageRetentionDays,
    save: (days) => changeChannel(props.channel.id, { message_retention_days: writeDays(days) }),
  });
  return (
    <div class="saved-field">
      <RetentionFields
        value={edit.value()}
        disabled={!props.mayChange}
        problem={edit.problem()}
        onChange={edit.change}
      />
      <EditEnd edit={edit} label={t("channel.retention")} disabled={isInvalid(edit.value())} />
    </div>
  );
}

export function RetentionFields(props: {
  value: Days;
  disabled?: boolean;
  problem?: string | undefined;
  onChange(days: Days): void;
}) {
  const kind = () => (props.value === null ? "default" : props.value === -1 ? "forever" : "days");
  const usual = live(["organization", "generation"], () =>
    state.model.organization.get(organizationSettings.messageRetentionDays),
  );
  const usually = () =>
    usual() === null || Number(usual()) < 0
      ? t("retention.forever")
      : t("retention.forDays", { count: Number(usual()) });
  const options = () => [
    { value: "default" as const, label: t("retention.default", { usual: usually() }) },
    { value: "forever" as const, label: t("retention.forever") },
    { value: "days" as const, label: t("retention.days") },
  ];
  return (
    <>
      <Select
        label={t("channel.retention")}
        hint={props.disabled ? t("retention.ownersOnly") : undefined}
        disabled={props.disabled}
        problem={props.problem}
        value={kind()}
        options={options()}
        onChange={(chosen) => props.onChange({ default: null, forever: -1, days: USUAL_DAYS }[chosen])}
      />
      <Show when={kind() === "days"}>
        <TextField
          label={t("retention.count")}
          hint={t("retention.shorter")}
          type="number"
          disabled={props.disabled}
          value={Number.isNaN(props.value) ? "" : String(props.value)}
          onInput={(text) => props.onChange(Number.parseInt(text, 10))}
        />
      </Show>
    </>
  );
}

export function isInvalid(days: Days): boolean {
  return days !== null && days !== -1 && !(days >= 1 && days <= 1_000_000);
}

export function writeDays(days: Days): number | "realm_default" | "unlimited" {
  return days === null ? "realm_default" : days === -1 ? "unlimited" : days;
}
