/** A server whose pages are walked: places, sites and visitors, and forms that would do something. */
import pg from "pg";
import { roles } from "../../api/roles.ts";
import { unsubscribeUrl } from "../../server/accounts/mail-preferences/links.ts";
import { codeAt } from "../../server/accounts/second-steps/totp.ts";
import { deactivateOrganization } from "../../server/organization/deactivate.ts";
import { runStateChange } from "../../server/platform/log/change.ts";
import { openMail } from "../../server/platform/mail/enqueue.ts";
import { listKeptMails } from "../../server/platform/mail/store.ts";
import { expectSuccess } from "../harness/answers.ts";
import { createHarness, type Harness, HOST, OTHER_HOST } from "../harness/harness.ts";
import { runJobs } from "../harness/jobs.ts";
import { browserOf, cookieIn } from "../harness/sessions.ts";

const SITE = `http://${HOST}`;
const PASSWORD = "correct horse battery";
const OPERATOR_KEY = "a-long-key-for-the-operator";

/** What is at the host: an organization, a deactivated one, or none. */
export const places = { active: HOST, deactivated: OTHER_HOST, none: "nowhere.test" } as const;
export type Place = keyof typeof places;

/** Where the request comes from, as browsers say it. */
export const sites = {
  "own page": (host: string) => ({ origin: `http://${host}`, "sec-fetch-site": "same-origin" }),
  "another site": () => ({ origin: "https://evil.example", "sec-fetch-site": "cross-site" }),
  "another host of the site": (host: string) => ({
    origin: `http://sub.${host}`,
    "sec-fetch-site": "same-site",
  }),
  "the host over https": (host: string) => ({ origin: `https://${host}` }),
  "an origin that is hidden": () => ({ origin: "null" }),
  "nobody says": () => ({}),
} as const satisfies Record<string, (host: string) => Record<string, string>>;
export type Site = keyof typeof sites;

/** `the sender` may send the form, which may take a cookie. */
export type Visitor =
  | "nobody"
  | "the sender"
  | "an administrator"
  | "a member"
  | "a guest"
  | "an ended session"
  | "a deactivated account"
  | "an API key in the place of a session";
export const signedIn: readonly Visitor[] = ["the sender", "an administrator", "a member", "a guest"];

export interface Form {
  /** Values of parameters in the path. */
  params?: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>>;
  /** The sender's. */
  cookie?: string;
}

/** The visitors whose sessions last, with their roles. */
const lasting = {
  "an administrator": roles.administrator,
  "a member": roles.member,
  "a guest": roles.guest,
} as const;

interface Person {
  id: number;
  username: string;
  password: string;
}

export class PageWorld {
  readonly harness: Harness;
  /** The cookie of each. */
  readonly visitors = new Map<Visitor, string>([
    ["nobody", ""],
    ["the sender", ""],
  ]);
  readonly #people = new Map<keyof typeof lasting, Person>();
  readonly #client: pg.Client;
  #count = 0;

  private constructor(harness: Harness, client: pg.Client) {
    this.harness = harness;
    this.#client = client;
  }

  static async open(): Promise<PageWorld> {
    const harness = await createHarness({
      PARLEY_RATE_LIMITS: "off",
      PARLEY_PUBLIC_URL: SITE,
      PARLEY_OPEN_ORGANIZATIONS: "on",
      PARLEY_OPERATOR_KEY: OPERATOR_KEY,
      // It does not listen.
      PARLEY_OIDC: JSON.stringify([
        { id: "sso", name: "SSO", issuer: "http://127.0.0.1:9", client_id: "a", client_secret: "b" },
      ]),
    });
    const client = new pg.Client(harness.services.database.connection);
    await client.connect();
    const world = new PageWorld(harness, client);
    await world.#fill();
    return world;
  }

  async #fill(): Promise<void> {
    const { harness, visitors } = this;
    const ada = harness.as("ada");
    await expectSuccess(ada.patch("/realm", { invite_required: false }));
    for (const [visitor, role] of Object.entries(lasting) as [keyof typeof lasting, number][]) {
      const person = await this.person();
      await expectSuccess(ada.patch(`/users/${person.id}`, { role }));
      this.#people.set(visitor, person);
    }
    const ended = await this.sessionOf(await this.person());
    await expectSuccess(browserOf(harness, ended).delete("/session"));
    visitors.set("an ended session", ended);
    const gone = await this.person();
    visitors.set("a deactivated account", await this.sessionOf(gone));
    await expectSuccess(ada.delete(`/users/${gone.id}`));
    visitors.set("an API key in the place of a session", `parley-session=${harness.user("dev").apiKey}`);
    await runStateChange(harness.otherState, deactivateOrganization);
  }

  /** Gives the visitors new sessions: some forms end the one that the browser had. */
  async signIn(): Promise<void> {
    for (const [visitor, person] of this.#people) this.visitors.set(visitor, await this.sessionOf(person));
  }

  /** Whether people must set up a second step. */
  async requireSecondStep(who: "nobody" | "everyone"): Promise<void> {
    await expectSuccess(this.harness.as("ada").patch("/realm", { require_second_step: who }));
  }

  async sessionOf({ username, password }: Person): Promise<string> {
    return cookieIn((await this.send("/login", { username, password })).headers["set-cookie"]);
  }

  async close(): Promise<void> {
    await this.#client.end();
    await this.harness.close();
  }

  /** A page, opened or sent by a visitor. */
  visit(
    page: { method: "GET" | "HEAD" | "POST"; path: string },
    { place, site, visitor }: { place: Place; site: Site; visitor: Visitor },
    { params = {}, fields, cookie: sender = "" }: Form,
  ) {
    const host = places[place];
    const cookie = visitor === "the sender" ? sender : (this.visitors.get(visitor) ?? "");
    return this.harness.app.inject({
      method: page.method,
      url: page.path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? "x"),
      headers: {
        host,
        ...(cookie !== "" && { cookie }),
        ...sites[site](host),
        ...(page.method === "POST" && { "content-type": "application/x-www-form-urlencoded" }),
      },
      ...(page.method === "POST" && { payload: new URLSearchParams(fields).toString() }),
      // Networks have limits of their own on what they may send wrongly.
      remoteAddress: `10.0.${(++this.#count >> 8) & 255}.${this.#count & 255}`,
    });
  }

  /** All that is stored. It is the same after a request that changes nothing. */
  async contents(): Promise<string> {
    const { rows: tables } = await this.#client.query<{ name: string }>(
      "select quote_ident(relname) as name from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace order by 1",
    );
    const each = tables.map(
      ({ name }) =>
        `select '${name}' || count(*) || coalesce(sum(hashtext(t::text)), 0) as part from ${name} t`,
    );
    const { rows } = await this.#client.query(`${each.join(" union all ")} order by 1`);
    return JSON.stringify(rows);
  }

  fresh(): string {
    return `fay${++this.#count}@elsewhere.test`;
  }

  /** Somebody with a password, which is all that they have. */
  async person(): Promise<Person> {
    const username = this.fresh();
    const account = { email: username, full_name: `Fay Lind ${this.#count}`, password: PASSWORD };
    const { user_id: id } = await expectSuccess(this.harness.as("ada").post("/users", account));
    return { id, username, password: PASSWORD };
  }

  /** Sends a form from an own page. */
  send(path: string, fields: Record<string, string>) {
    const from = { place: "active", site: "own page", visitor: "nobody" } as const;
    return this.visit({ method: "POST", path }, from, { fields });
  }

  async addRefusedMail(): Promise<void> {
    await this.#client.query(
      "insert into mails (organization_id, encrypted, refused_at) values ($1, '', now())",
      [this.harness.state.organizationId],
    );
  }

  /** The last part of the link in the newest mail to an address. */
  async codeTo(email: string): Promise<string> {
    const { services, state } = this.harness;
    await runJobs(services);
    const kept = await listKeptMails(services.database, state.organizationId, 1000);
    const mail = kept
      .map(({ encrypted }) => openMail(services.keyring, encrypted))
      .find(({ to }) => to === email);
    return lastPart(/http\S+/.exec(mail?.text ?? "")?.[0] ?? "");
  }
}

function lastPart(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

/** For each form of the server something that an own page may send, and that changes what is stored. */
export const forms: Readonly<Record<string, (world: PageWorld) => Promise<Form>>> = {
  "/login": async (world) => {
    const { username, password } = await world.person();
    return { fields: { username, password } };
  },
  "/login/second-step": async (world) => {
    const person = await world.person();
    const browser = browserOf(world.harness, await world.sessionOf(person));
    const { secret } = await expectSuccess(browser.post("/second_steps/totp"));
    const before = codeAt(secret, Date.now() - 30_000);
    await expectSuccess(browser.post("/second_steps/totp/confirm", { code: before }));
    return { cookie: await world.sessionOf(person), fields: { code: codeAt(secret) } };
  },
  "/login/set-up": async (world) => {
    await world.requireSecondStep("everyone");
    const person = await world.person();
    return { cookie: await world.sessionOf(person), fields: { action: "start", password: PASSWORD } };
  },
  "/reset": async (world) => ({ fields: { email: (await world.person()).username } }),
  "/reset/:code": async (world) => {
    const { username } = await world.person();
    await world.send("/reset", { email: username });
    return { params: { code: await world.codeTo(username) }, fields: { password: "seven quiet lanterns" } };
  },
  "/join": async (world) => ({ fields: { email: world.fresh() } }),
  "/verify/:code": async (world) => {
    const email = world.fresh();
    await world.send("/join", { email });
    const fields = { full_name: "Nora Quist", password: PASSWORD };
    return { params: { code: await world.codeTo(email) }, fields };
  },
  "/join/:code": async (world) => {
    const { invite_link: link } = await expectSuccess(world.harness.as("ada").post("/invites/multiuse"));
    return { params: { code: lastPart(link) }, fields: { email: world.fresh() } };
  },
  "/unsubscribe/:kind/:code": async (world) => {
    const { harness } = world;
    const { user } = harness.user("elin");
    const url = unsubscribeUrl(harness.services.keyring, harness.state, user, "digest", SITE);
    return { params: { kind: "digest", code: lastPart(url) }, fields: { "List-Unsubscribe": "One-Click" } };
  },
  "/operator/retry-mail": async (world) => {
    await world.addRefusedMail();
    const { headers } = await world.send("/operator", { key: OPERATOR_KEY });
    return { cookie: cookieIn(headers["set-cookie"]), fields: { mail: "all" } };
  },
  "/new": async (world) => ({ fields: { email: world.fresh() } }),
  "/new/:token": async (world) => {
    const email = world.fresh();
    await world.send("/new", { email });
    const fields = {
      organization_name: "Bakers",
      subdomain: "bakers",
      full_name: "Ida Moe",
      email,
      password: PASSWORD,
    };
    return { params: { token: await world.codeTo(email) }, fields };
  },
};

/**
 * Forms whose right content only a sign-in with a provider makes, or that store nothing, and where that is
 * tested.
 */
export const otherForms: Readonly<Record<string, string>> = {
  "/auth/:id/connect": "server/accounts/providers/forged-sign-in.test.ts",
  "/auth/:id/second-step": "server/accounts/providers/identities.test.ts",
  "/accounts/login/subdomain/:token": "server/accounts/providers/native-app.test.ts",
  "/operator": "server/website/operator/operator.test.ts",
  "/operator/sign-out": "server/website/operator/operator.test.ts",
};
