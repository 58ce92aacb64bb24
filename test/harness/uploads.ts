/** Uploads by people of the cast, and requests for the files. */

import { uploadFile } from "../../api/content/uploads.ts";
import { newNames } from "../../server/content/uploads/path.ts";
import type { User } from "../../server/people/user.ts";
import { sql } from "../../server/platform/db/sql.ts";
import { keepStoredFilesMark } from "../../server/platform/db/stored-files-mark.ts";
import type { OrganizationState } from "../../server/platform/log/organization-state.ts";
import { expectSuccess } from "./answers.ts";
import { watchCall } from "./caused-events.ts";
import type { Answer, CastName, Harness } from "./harness.ts";
import { HOST, OTHER_HOST } from "./harness.ts";
import { MULTIPART, multipartBody, type Part } from "./multipart.ts";
import { validateReply } from "./validate-reply.ts";

export function authorizationOf(harness: Harness, name: CastName): string {
  const { email, apiKey } = harness.user(name);
  return `Basic ${Buffer.from(`${email}:${apiKey}`).toString("base64")}`;
}

const hostOf = (name: CastName) => (name === "zed" ? OTHER_HOST : HOST);

/** Sends an upload. The answer may be a refusal. */
export async function upload(harness: Harness, name: CastName, ...parts: Part[]): Promise<Answer> {
  const response = await watchCall(harness.app, uploadFile, () =>
    harness.app.inject({
      method: "POST",
      url: "/api/v1/user_uploads",
      headers: {
        host: hostOf(name),
        authorization: authorizationOf(harness, name),
        "content-type": MULTIPART,
        "user-agent": "ParleyTest/1.0",
      },
      payload: multipartBody(parts),
    }),
  );
  const answer = { status: response.statusCode, body: response.json(), headers: response.headers };
  validateReply(uploadFile, answer.body, answer.status);
  return answer;
}

/** Uploads a file and returns its address. */
export async function uploaded(
  harness: Harness,
  name: CastName,
  content: Buffer | string = "Soup today\n",
  fileName = "soup.txt",
): Promise<string> {
  return (await expectSuccess(upload(harness, name, { name: "f", content, fileName }))).url;
}

/** Loads a file as somebody; without a name without credentials. */
export function load(
  harness: Harness,
  name: CastName | undefined,
  url: string,
  options: { method?: "GET" | "HEAD"; headers?: Record<string, string>; host?: string } = {},
) {
  const { method = "GET", headers = {}, host = name ? hostOf(name) : HOST } = options;
  const authorization = name && authorizationOf(harness, name);
  return harness.app.inject({
    method,
    url,
    headers: { host, "user-agent": "ParleyTest/1.0", ...(authorization && { authorization }), ...headers },
  });
}

/** The row of an upload, whose file is nowhere. */
export async function insertedUpload(
  { services }: Pick<Harness, "services">,
  { state, user }: { state: OrganizationState; user: User },
): Promise<{ attachmentId: number; uploadPath: string }> {
  const { path, storageKey } = newNames(state.organizationId, "soup.txt");
  // A place that has no files yet, though rows name some, looks like a disk that is not mounted.
  await services.files.mark.write((await keepStoredFilesMark(services.database)).id);
  const [row] = await services.database.query<{ id: number }>(sql`
    insert into uploads (organization_id, owner_id, path, storage_key, file_name, content_type, size)
    values (${state.organizationId}, ${user.id}, ${path}, ${storageKey}, 'soup.txt', 'text/plain', 4) returning id`);
  return { attachmentId: (row as { id: number }).id, uploadPath: path };
}
