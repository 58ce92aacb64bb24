import { createSignal, Show } from "solid-js";
import { createBot } from "../../api/integrations/bots.ts";
import { MAX_FULL_NAME_LENGTH } from "../../api/limits.ts";
import { t } from "../i18n/t.ts";
import { withProof } from "../shared/proof/proof.tsx";
import { state } from "../shared/state/state.ts";
import { Select, TextField } from "../ui/fields.tsx";
import { createSaving, SavingNote } from "../ui/saving.tsx";

/** As the API numbers them. */
const kinds = { generic: 1, incoming: 2, outgoing: 3 } as const;
type Kind = keyof typeof kinds;

export function NewBot(props: { isSenderOnly: boolean; onClose(): void }) {
  const saving = createSaving();
  const allowed: readonly Kind[] = props.isSenderOnly ? ["incoming"] : ["generic", "incoming", "outgoing"];
  const [kind, setKind] = createSignal<Kind>(allowed[0] ?? "incoming");
  const [name, setName] = createSignal("");
  const [address, setAddress] = createSignal<string>();
  const [url, setUrl] = createSignal("");
  const shortName = () => address() ?? shortNameOf(name());
  const isComplete = () =>
    name().trim() !== "" && shortName() !== "" && (kind() !== "outgoing" || url().trim() !== "");
  async function submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (!isComplete()) return;
    const parameters = {
      full_name: name().trim(),
      short_name: shortName(),
      bot_type: kinds[kind()],
      ...(kind() === "outgoing" && { payload_url: url().trim() }),
    };
    const isSaved = await saving.runOnce(() =>
      withProof((proof) => state.connection.call(createBot, { ...parameters, ...proof })),
    );
    if (isSaved) props.onClose();
  }
  return (
    <form class="note-box" aria-label={t("own.bots.new")} onSubmit={(event) => void submit(event)}>
      <Select
        label={t("own.bots.kind")}
        hint={t(`own.bots.${kind()}Hint`)}
        value={kind()}
        options={allowed.map((type) => ({ value: type, label: t(`own.bots.${type}`) }))}
        onChange={setKind}
      />
      <TextField
        label={t("own.bots.name")}
        value={name()}
        maxLength={MAX_FULL_NAME_LENGTH}
        onInput={setName}
      />
      <TextField
        label={t("own.bots.short")}
        hint={t("own.bots.shortHint", { name: `${shortName() || "…"}-bot` })}
        value={shortName()}
        onInput={setAddress}
      />
      <Show when={kind() === "outgoing"}>
        <TextField label={t("own.bots.calls")} type="url" value={url()} onInput={setUrl} />
      </Show>
      <p class="buttons">
        <button type="submit" class="button primary" disabled={!isComplete()}>
          {t("own.bots.create")}
        </button>
        <button type="button" class="button" onClick={() => props.onClose()}>
          {t("dialog.cancel")}
        </button>
      </p>
      <SavingNote saving={saving} />
    </form>
  );
}

/** A proposal, of what the server allows there. */
function shortNameOf(name: string): string {
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$|-?bot$/g, "")
    .slice(0, 40);
}
