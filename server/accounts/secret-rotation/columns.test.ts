import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHarness, type Harness } from "../../../test/harness/harness.ts";
import { sql } from "../../platform/db/sql.ts";
import { carriedTables } from "./carry.ts";
import { notUnderSecret, underSecret } from "./columns.ts";
import { deletions } from "./store.ts";

const server = fileURLToPath(new URL("../..", import.meta.url));

let harness: Harness;
beforeAll(async () => {
  harness = await createHarness();
});
afterAll(() => harness.close());

/** Columns that may have something of the secret: bytes, HTML, and what is named for it. */
async function listColumns(): Promise<Map<string, boolean>> {
  const rows = await harness.services.database.query<{ column: string; isSuspect: boolean }>(sql`
    select c.relname || '.' || a.attname as column, a.atttypid = 'bytea'::regtype
      or a.attname ~ '(encrypted|hash|digest|secret|token|rendered|signature)' as "isSuspect"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
  return new Map(rows.map(({ column, isSuspect }) => [column, isSuspect]));
}

/** A sentence for each column that the lists do not have as it is. */
async function problems(): Promise<string[]> {
  const columns = await listColumns();
  const listed = new Set([...Object.keys(underSecret), ...Object.keys(notUnderSecret)]);
  const missing = [...columns].filter(([column, isSuspect]) => isSuspect && !listed.has(column));
  const gone = [...listed].filter((column) => !columns.has(column));
  return [
    ...missing.map(([column]) => `${column} is new: say in columns.ts what a rotation does with it.`),
    ...gone.map((column) => `There is no ${column}: take it out of columns.ts.`),
  ].sort();
}

describe("each column that may have something of the secret", () => {
  test("is in one of the lists", async () => {
    expect(await problems()).toEqual([]);
  });

  test("has a sentence if it is new", async () => {
    const { database } = harness.services;
    await database.query(sql`alter table topics add column sealed bytea, add column token_hash text`);
    try {
      expect(await problems()).toEqual([
        expect.stringMatching(/^topics\.sealed is new/),
        expect.stringMatching(/^topics\.token_hash is new/),
      ]);
    } finally {
      await database.query(sql`alter table topics drop column sealed, drop column token_hash`);
    }
  });

  test("is carried, or goes with its row, as the list says", () => {
    const listed = (kind: "carried" | "ends") =>
      Object.keys(underSecret)
        .filter((column) => kind in (underSecret[column] as object))
        .sort();
    const carried = carriedTables.flatMap(({ table, columns }) =>
      Object.keys(columns).map((column) => `${table}.${column}`),
    );
    expect(listed("carried")).toEqual([...carried, "secret_check.value"].sort());
    const tables = [...new Set(listed("ends").map((column) => column.split(".")[0]))];
    // Mails stay, but for those with links that end.
    expect([...tables, "mails"].sort()).toEqual(deletions.map(({ table }) => table).sort());
  });
});

/** What each file that uses the keyring makes: where it is stored, or whom it is given to. */
const uses: Readonly<Record<string, string>> = {
  "accounts/invitations/actions.ts": "invitations",
  "accounts/invitations/join/confirm.ts": "invitations",
  "accounts/invitations/join/redeem.ts": "invitations",
  "accounts/invitations/join/usable.ts": "invitations",
  "accounts/invitations/remind.ts": "invitations",
  "accounts/mail-preferences/links.ts": "links in mails, which end",
  "accounts/mailed-codes/asked-mails.ts": "asked_mails",
  "accounts/mailed-codes/codes.ts": "mailed_codes",
  "accounts/passkeys/register.ts": "passkey_challenges; a person's handle, which nothing reads",
  "accounts/passkeys/sign-in.ts": "passkey_challenges",
  "accounts/providers/flow-cookie.ts": "a cookie of minutes",
  "accounts/providers/steps.ts": "sign_in_steps",
  "accounts/second-steps/actions.ts": "totp_secrets",
  "accounts/second-steps/recovery-codes.ts": "recovery_codes",
  "accounts/secret-reset/reset.ts": "api_keys, bots",
  "accounts/sessions/end.ts": "sessions",
  "accounts/sessions/pending.ts": "pending_sign_ins",
  "accounts/sessions/start.ts": "sessions",
  "accounts/sign-in-notices/notices.ts": "known_devices",
  "accounts/sign-in/authenticate.ts": "api_keys, sessions",
  "accounts/sign-in/sign-in.ts": "sign_in_networks",
  "administration/erasure/actions.ts": "erasures",
  "administration/erasure/finish.ts": "erasures",
  "administration/exports/link.ts": "links of hours, which end with the sessions",
  "content/external-content/addresses.ts": "HTML of messages and descriptions; external_images",
  "content/uploads/temporary-link.ts": "links of a minute",
  "imports/parley/write.ts": "bots, invitations",
  "integrations/bots/create-bot.ts": "bots",
  "integrations/bots/update-bot.ts": "bots",
  "notifications/email/mail-missed.ts": "the name of a thread of mails; another one from now on",
  "people/actions.ts": "api_keys",
  "people/past.ts": "api_keys",
  "platform/crypto/installation-proof.ts": "an answer to a command",
  "platform/crypto/keyring.ts": "hashToken",
  "platform/mail/enqueue.ts": "mails",
  "website/operator/key.ts": "a cookie of 12 hours",
  "website/setup/further-organizations.ts": "organization_invitations",
  "website/setup/invitations.ts": "organization_invitations",
};

test("each file that encrypts, hashes or signs is known, and what it makes is in the list", () => {
  const using = readdirSync(server, { recursive: true, encoding: "utf8" })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .filter((file) => !file.startsWith("accounts/secret-rotation/"))
    .filter((file) => {
      const text = readFileSync(path.join(server, file), "utf8");
      return /(?:\bkey|[kK]eyring|\bthis)\.(?:encrypt|hash|hashToken|signAddress)\(/.test(text);
    });
  expect(using.sort()).toEqual(Object.keys(uses).sort());
});
