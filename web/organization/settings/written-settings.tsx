/** Settings of the organization that are typed. */

import { updateOrganization } from "../../../api/administration/organization.ts";
import { MAX_WELCOME_TEXT_LENGTH } from "../../../api/limits.ts";
import { t } from "../../i18n/t.ts";
import { call, settingSignal } from "../calls.ts";
import type { ControlProps } from "./control-props.ts";
import type { NumberName, TextName } from "./setting-list.ts";
import { TextSetting } from "./text-setting.tsx";

export function PlainTextSetting(props: ControlProps<TextName>) {
  const { name } = props;
  const value = settingSignal<string | null>(name, null);
  const inRequest = (text: string) => (name === "jitsi_server_url" && text === "" ? "default" : text);
  const isLong = name === "welcome_message_custom_text";
  return (
    <TextSetting
      label={t(`organization.setting.${name}`)}
      hint={props.reason ?? t(`organization.hint.${name}`)}
      value={value() ?? ""}
      isLong={isLong}
      {...(isLong && { maxLength: MAX_WELCOME_TEXT_LENGTH })}
      {...(name === "jitsi_server_url" && { type: "url" })}
      disabled={props.disabled}
      save={(text) => call(updateOrganization, { [name]: inRequest(text.trim()) })}
    />
  );
}

/** An empty field stands for no limit where there need not be one. */
export function NumberSetting(props: ControlProps<NumberName>) {
  const { name } = props;
  const value = settingSignal<number | null>(name, null);
  const shown = () => {
    const number = value();
    return number === null || number === -1 ? "" : String(number);
  };
  const inRequest = (text: string): string | number => {
    if (text !== "") return Number(text);
    return name === "waiting_period_threshold" ? 0 : "unlimited";
  };
  return (
    <TextSetting
      label={t(`organization.setting.${name}`)}
      hint={props.reason ?? t(`organization.hint.${name}`)}
      value={shown()}
      type="number"
      disabled={props.disabled}
      save={(text) => call(updateOrganization, { [name]: inRequest(text.trim()) })}
    />
  );
}
