/** What administrators do with playgrounds. Everyone gets all of them after a change. */
import { ApiError, errors } from "../../../api/errors.ts";
import { playgroundsChanged } from "../../../api/events/playgrounds.ts";
import { MAX_PLAYGROUNDS } from "../../../api/limits.ts";
import { changesBetween } from "../../organization/audit-log/changes.ts";
import { recordAudit } from "../../organization/audit-log/record.ts";
import type { ViewerChange } from "../../people/viewer/change.ts";
import { checkAdministrator } from "../../people/viewer/current-viewer.ts";
import { everyone } from "../../platform/log/log-entry.ts";
import { patchOf } from "../../platform/log/projection.ts";
import { parseWebTemplate } from "../linkifiers/web-template.ts";
import { playgrounds } from "./playgrounds.ts";
import { presentPlayground } from "./present.ts";
import { deletePlayground, insertPlayground, listPlaygrounds, type PlaygroundContent } from "./store.ts";

/** The characters that the language of a code block can have, and spaces, as in "Common Lisp". */
const LANGUAGE = /^[ a-zA-Z0-9_+,\-./#]+$/;

/** Adds a playground and returns its id. A language can have several, with different names. */
export async function addPlayground(tx: ViewerChange, given: PlaygroundContent): Promise<number> {
  checkAdministrator(tx.viewer);
  const content = parsePlayground(given);
  const { rows } = tx.state.get(playgrounds);
  const isTaken = rows.some(({ language, name }) => language === content.language && name === content.name);
  if (isTaken) throw new ApiError(errors.playgroundTaken);
  if (rows.length >= MAX_PLAYGROUNDS) {
    throw new ApiError(errors.tooManyInOrganization, { what: "playgrounds", limit: MAX_PLAYGROUNDS });
  }
  const id = await insertPlayground(tx, tx.state.organizationId, content);
  const changes = changesBetween({}, fieldsOf(content));
  await recordAudit(tx, { action: "playground_created", targetId: id, changes });
  await announce(tx);
  return id;
}

export async function removePlayground(tx: ViewerChange, id: number): Promise<void> {
  checkAdministrator(tx.viewer);
  const before = tx.state.get(playgrounds).rows.find((row) => row.id === id);
  if (!before) throw new ApiError(errors.invalidPlayground);
  await deletePlayground(tx, tx.state.organizationId, id);
  const changes = changesBetween(fieldsOf(before), {});
  await recordAudit(tx, { action: "playground_removed", targetId: id, changes });
  await announce(tx);
}

function parsePlayground(given: PlaygroundContent): PlaygroundContent {
  const name = given.name.trim();
  const language = given.language.trim();
  const urlTemplate = given.urlTemplate.trim();
  if (name === "") throw new ApiError(errors.blank, { name: "name" });
  if (language === "") throw new ApiError(errors.blank, { name: "pygments_language" });
  if (!LANGUAGE.test(language)) throw new ApiError(errors.playgroundLanguage);
  const { variables } = parseWebTemplate(urlTemplate);
  if (!variables.includes("code")) throw new ApiError(errors.templateWithoutCode);
  if (variables.length > 1) throw new ApiError(errors.templateWithOthers);
  return { name, language, urlTemplate };
}

function fieldsOf({ name, language, urlTemplate }: PlaygroundContent) {
  return { name, pygments_language: language, url_template: urlTemplate };
}

async function announce(tx: ViewerChange): Promise<void> {
  const rows = await listPlaygrounds(tx, tx.state.organizationId);
  const fields = { realm_playgrounds: rows.map(presentPlayground) };
  tx.append(playgroundsChanged, fields, everyone, patchOf(playgrounds, rows));
}
