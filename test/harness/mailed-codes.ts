/** Links by mail: rosa, who has an account, and the pages and forms on the way. */
import { afterAll, beforeEach } from "vitest";
import { users } from "../../server/people/user.ts";
import {
  addRosa,
  rosa as login,
  mailedPath,
  mailsTo,
  openPage,
  PASSWORD,
  sendForm,
  signIn,
} from "./accounts.ts";
import { expectSuccess } from "./answers.ts";
import { createHarness, type Harness, HOST } from "./harness.ts";

export const rosa = login.username;

export const ownPage: Record<string, string> = { "sec-fetch-site": "same-origin" };

/** Starts a server before each test of a file. */
export function useMailedCodes() {
  let harness: Harness;
  let rosaId: number;
  beforeEach(async () => {
    await harness?.close();
    harness = await createHarness();
    // The tests count the mails of a person.
    await expectSuccess(harness.as("ada").patch("/realm", { send_welcome_emails: false }));
    rosaId = await addRosa(harness);
  });
  afterAll(() => harness.close());

  const open = (url: string, host = HOST) => openPage(harness, url, { host });

  const submit = (url: string, fields: Record<string, string> = {}, headers = ownPage, host = HOST) =>
    sendForm(harness, url, fields, { host, headers });

  /** The newest first. */
  const mails = async (to: string) => (await mailsTo(harness, to)).reverse();

  const linkTo = (email: string) => mailedPath(harness, email);

  function keyOf(password: string, username = rosa) {
    return harness.nobody().post("/fetch_api_key", { username, password });
  }

  const browserOfRosa = (password = PASSWORD, username = rosa) => signIn(harness, { username, password });

  const emailOf = () => harness.state.get(users).find(rosaId)?.email;

  async function linkToReset(): Promise<string> {
    await submit("/reset", { email: rosa });
    return linkTo(rosa);
  }

  return {
    ...{ open, submit, mails, linkTo, keyOf, browserOfRosa, emailOf, linkToReset },
    get harness() {
      return harness;
    },
    /** A test may take another server, once it has closed this one. */
    set harness(given: Harness) {
      harness = given;
    },
    get rosaId() {
      return rosaId;
    },
  };
}
