import { Show } from "solid-js";
import type { TopicsPolicy } from "../../api/channels/channel-fields.ts";
import { canSetTopicsPolicy } from "../../client/channel-access.ts";
import { isOwner } from "../../client/permissions.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { Select } from "../ui/fields.tsx";
import { live } from "../ui/live.ts";
import { topicsPolicies } from "./general.tsx";
import type { NewChannelForm } from "./new-channel-form.ts";
import { RetentionFields } from "./retention.tsx";

/** Settings that few people choose, and that few may. */
export function NewChannelDetails(props: {
  form: NewChannelForm;
  onChange(fields: Partial<NewChannelForm>): void;
}) {
  const sources = ["organization", "groups", "users", "generation"];
  const maySetPolicy = live(sources, () => canSetTopicsPolicy(state.model));
  const owns = live(sources, () => isOwner(state.model));
  return (
    <>
      <Show when={maySetPolicy()}>
        <Select
          label={t("channel.topicsPolicy")}
          value={props.form.topicsPolicy}
          options={topicsPolicies.map((value) => ({
            value: value as TopicsPolicy,
            label: t(`topicsPolicy.${value}`),
          }))}
          onChange={(topicsPolicy) => props.onChange({ topicsPolicy })}
        />
      </Show>
      <Show when={owns()}>
        <RetentionFields
          value={props.form.retentionDays}
          onChange={(retentionDays) => props.onChange({ retentionDays })}
        />
      </Show>
    </>
  );
}
