import type { Narrow } from "../../client/narrow.ts";
import { t } from "../i18n/t.ts";
import { closeSearch } from "../shared/search/search-request.ts";
import { Dialog } from "../ui/dialog.tsx";
import { SearchField } from "./search-field.tsx";

/** The field on a phone: a screen of its own. */
export function SearchSheet(props: { terms: Narrow; onClose(): void }) {
  const wanted = {};
  const close = () => {
    closeSearch();
    props.onClose();
  };
  return (
    <Dialog label={t("search.label")} class="search-sheet" onClose={close}>
      <SearchField terms={props.terms} wanted={wanted} isSheet onDone={close} />
    </Dialog>
  );
}
