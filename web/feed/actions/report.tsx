import { createSignal, For } from "solid-js";
import { MAX_REPORT_LENGTH } from "../../../api/limits.ts";
import { reportMessage } from "../../../api/messages/reports.ts";
import { t } from "../../i18n/t.ts";
import { problemOf } from "../../shared/state/problem-of.ts";
import { state } from "../../shared/state/state.ts";
import { announce } from "../../ui/announce.ts";
import { createForm, FormDialog } from "../../ui/form-dialog.tsx";

const kinds = [
  { value: "spam", label: "report.spam" },
  { value: "harassment", label: "report.harassment" },
  { value: "inappropriate", label: "report.inappropriate" },
  { value: "norms", label: "report.norms" },
  { value: "other", label: "report.other" },
] as const;

/** Says to the moderators what is wrong with a message. */
export function Report(props: { messageId: number; onClose(): void }) {
  const [kind, setKind] = createSignal<(typeof kinds)[number]["value"]>("spam");
  const [text, setText] = createSignal("");
  const isNeeded = () => kind() === "other";

  const form = createForm(send, () => props.onClose());

  async function send(): Promise<string | undefined> {
    const description = text().trim();
    if (isNeeded() && description === "") return t("report.needText");
    const parameters = {
      ...{ message_id: props.messageId, report_type: kind() },
      ...(description !== "" && { description }),
    };
    const problem = await problemOf(() => state.connection.call(reportMessage, parameters));
    if (problem === undefined) announce(t("report.sent"));
    return problem;
  }

  return (
    <FormDialog title={t("report.title")} action={t("report.action")} form={form}>
      <p class="about">{t("report.about")}</p>
      <fieldset>
        <legend>{t("report.why")}</legend>
        <For each={kinds}>
          {({ value, label }, index) => (
            <label class="choice">
              <input
                type="radio"
                name="kind"
                autofocus={index() === 0}
                checked={kind() === value}
                onChange={() => {
                  setKind(value);
                  form.clearProblem();
                }}
              />
              {t(label)}
            </label>
          )}
        </For>
      </fieldset>
      <label>
        {t(isNeeded() ? "report.text" : "report.textOptional")}
        <textarea
          rows="3"
          dir="auto"
          aria-required={isNeeded()}
          data-max={MAX_REPORT_LENGTH}
          value={text()}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
    </FormDialog>
  );
}
