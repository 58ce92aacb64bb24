/** The domains whose addresses may join. */
import { createSignal, For, Show } from "solid-js";
import { addDomain, removeDomain, updateDomain } from "../../api/administration/domains.ts";
import { t } from "../i18n/t.ts";
import { state } from "../shared/state/state.ts";
import { TextField } from "../ui/fields.tsx";
import { live } from "../ui/live.ts";
import { createSaving } from "../ui/saving.tsx";
import { createWanted } from "../ui/wanted.ts";
import { call, isOwner } from "./calls.ts";
import { ask } from "./controls/ask.ts";
import { RowButton } from "./controls/rows.tsx";
import { SavedNote } from "./controls/saved-note.tsx";

export function Domains() {
  const may = isOwner();
  const saving = createSaving();
  const [text, setText] = createSignal("");
  const all = live(["domains", "generation"], () => [...state.model.domains.allowSubdomains.keys()]);
  const add = async () => {
    const domain = text().trim();
    if (domain === "") return;
    const isAdded = await saving.runOnce(() => call(addDomain, { domain, allow_subdomains: false }));
    if (isAdded && text().trim() === domain) setText("");
  };
  return (
    <section aria-labelledby="domains">
      <h3 id="domains">{t("domains.title")}</h3>
      <p class="about">{t("domains.about")}</p>
      <Show when={may()}>
        <form
          class="setting with-button"
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <TextField
            label={t("domains.add")}
            placeholder="example.com"
            value={text()}
            problem={saving.problem()}
            onInput={setText}
          />
          <button type="submit" class="button">
            {t("organization.add")}
          </button>
          <SavedNote saving={saving} />
        </form>
      </Show>
      <Show when={all().length > 0} fallback={<p class="nothing">{t("domains.none")}</p>}>
        <ul class="plain-list" aria-label={t("domains.title")}>
          <For each={all()}>{(domain) => <DomainRow domain={domain} mayChange={may()} />}</For>
        </ul>
      </Show>
    </section>
  );
}

function DomainRow(props: { domain: string; mayChange: boolean }) {
  const { domain } = props;
  const saving = createSaving();
  const stored = live(
    ["domains", "generation"],
    () => state.model.domains.allowSubdomains.get(domain) ?? false,
  );
  const wanted = createWanted(stored);
  const change = (isOn: boolean) =>
    wanted.change(isOn, () => saving.run(() => call(updateDomain, { domain, allow_subdomains: isOn })));
  return (
    <li class="list-row">
      <span class="row-text row-name">{domain}</span>
      <label class="toggle">
        <input
          type="checkbox"
          checked={wanted.value()}
          disabled={!props.mayChange}
          aria-label={t("domains.subdomainsOf", { domain })}
          onChange={(event) => void change(event.currentTarget.checked)}
        />
        <span aria-hidden="true">{t("domains.subdomains")}</span>
      </label>
      <Show when={saving.problem()}>
        {(words) => (
          <span class="problem" role="alert">
            {words()}
          </span>
        )}
      </Show>
      <Show when={props.mayChange}>
        <RowButton
          icon="trash"
          label={t("organization.delete", { name: domain })}
          run={() =>
            ask({
              title: t("organization.delete", { name: domain }),
              text: t("domains.removeText"),
              action: t("organization.deleteAction"),
              run: () => call(removeDomain, { domain }),
            })
          }
        />
      </Show>
    </li>
  );
}
