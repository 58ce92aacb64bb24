import pg from "pg";
import { type NoteSlowStatement, SLOW_STATEMENT_MS } from "./slow-statements.ts";
import { TIMELINE } from "./timeline.ts";

const CONNECT_MS = 5_000;
/** For so long a connection keeps the plans of its prepared statements. */
const PLANS_KEPT_MS = 10_000;

/** Besides pg's own settings. Milliseconds; 0: no limit. */
export interface ClientConfig extends pg.ClientConfig {
  pipeline?: boolean;
  /** How long PostgreSQL works on one statement. */
  statementTimeoutMs?: number;
  /** How long a statement waits for one lock. */
  lockTimeoutMs?: number;
  /** How long a transaction may take as a whole; by default `TRANSACTION_MS`. */
  transactionTimeoutMs?: number;
  /** Other than 10 seconds, for tests. */
  plansKeptMs?: number;
  /** Told of statements that PostgreSQL took long for. */
  onSlow?: NoteSlowStatement | undefined;
}

/**
 * How long a transaction may hold its locks while its node sends nothing. A node that was stopped or lost its
 * network holds others up for no longer than that.
 */
const IDLE_IN_TRANSACTION_MS = 8_000;
/**
 * How long a transaction may take as a whole. It holds back the removal of old row versions while it runs,
 * and makes commits slower. Versions of PostgreSQL before 17 have no such limit.
 */
const TRANSACTION_MS = 60_000;
/** After PostgreSQL's own limit, the network must have lost the statement or its answer. */
const GRACE_MS = 2_000;

/**
 * A connection with limits on both sides. PostgreSQL ends statements and transactions that take too long. And
 * if no answer comes at all, because the network drops everything, this side closes the connection.
 */
export class WatchedClient extends pg.Client {
  readonly #limits: Required<
    Pick<ClientConfig, "statementTimeoutMs" | "lockTimeoutMs" | "transactionTimeoutMs">
  >;
  readonly #plansKeptMs: number;
  readonly #onSlow: NoteSlowStatement | undefined;
  #plansKeptTo: number;
  #inFlight = 0;
  #lastAnswerAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(config: ClientConfig) {
    // The timeout of pg's pool would include the wait for a free connection.
    super({ ...config, connectionTimeoutMillis: CONNECT_MS });
    const { statementTimeoutMs = 0, lockTimeoutMs = 0, plansKeptMs = PLANS_KEPT_MS } = config;
    const { transactionTimeoutMs = TRANSACTION_MS } = config;
    this.#plansKeptMs = plansKeptMs;
    this.#onSlow = config.onSlow;
    this.#plansKeptTo = performance.now() + plansKeptMs;
    this.#limits = { statementTimeoutMs, lockTimeoutMs, transactionTimeoutMs };
    // When a connection breaks, its statements fail. Without a listener the event would end the process.
    this.on("error", () => {});
  }

  /**
   * Sets the session's limits, and resolves with the timeline of the database (see `timeline.ts`). To be
   * called once it is connected, before other statements. Not by parameters of the connection: poolers in
   * front of PostgreSQL refuse those.
   */
  async openSession(): Promise<string> {
    const { statementTimeoutMs, lockTimeoutMs, transactionTimeoutMs } = this.#limits;
    const settings = {
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
      transaction_timeout: transactionTimeoutMs,
      // A machine that vanished is noticed after half a minute. Without effect on local sockets.
      tcp_keepalives_idle: 15,
      tcp_keepalives_interval: 5,
      tcp_keepalives_count: 3,
      tcp_user_timeout: 30_000,
    };
    const { rows } = await this.query({
      text: `select count(set_config(name, value, false)), (${TIMELINE}) as timeline
        from unnest($1::text[], $2::text[]) as setting (name, value)
        where current_setting(name, true) is not null`,
      values: [Object.keys(settings), Object.values(settings).map(String)],
    });
    return rows[0].timeline;
  }

  /**
   * Lets the next statements be planned by what the tables hold now, if the plans are old. PostgreSQL itself
   * keeps a plan until the table is analyzed. A plan from when a table had one page reads all of it, however
   * large it has become. To be called before a statement or transaction; the order on the connection is kept.
   */
  refreshPlans(): void {
    const now = performance.now();
    if (now < this.#plansKeptTo) return;
    this.#plansKeptTo = now + this.#plansKeptMs;
    this.query("discard plans").catch(() => {});
  }

  // pg declares eight overloads, which all end here.
  // biome-ignore lint/suspicious/noExplicitAny: the overloads' own types hold for the callers.
  override query(...given: any[]): any {
    const result: unknown = Reflect.apply(super.query, this, given);
    if (result instanceof Promise) this.#watch(result, given[0]);
    return result;
  }

  #watch(outcome: Promise<unknown>, statement: string | { text: string }): void {
    if (this.#inFlight++ === 0) this.#lastAnswerAt = performance.now();
    const { statementTimeoutMs } = this.#limits;
    if (statementTimeoutMs > 0) this.#timer ??= this.#checkAfter(statementTimeoutMs + GRACE_MS);
    const answered = () => {
      this.#inFlight--;
      const now = performance.now();
      // Since the answer before: until then PostgreSQL worked on statements that were sent earlier.
      const ms = now - this.#lastAnswerAt;
      this.#lastAnswerAt = now;
      if (ms >= SLOW_STATEMENT_MS) this.#noteSlow(statement, ms);
    };
    outcome.then(answered, answered);
  }

  #noteSlow(statement: string | { text: string }, ms: number): void {
    this.#onSlow?.(typeof statement === "string" ? statement : statement.text, ms);
  }

  #checkAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined;
      if (this.#inFlight === 0) return;
      const leftMs = this.#limits.statementTimeoutMs + GRACE_MS - (performance.now() - this.#lastAnswerAt);
      if (leftMs > 0) this.#timer = this.#checkAfter(leftMs);
      else this.#close();
    }, ms).unref();
  }

  /** Statements under way fail. Whether they were executed is unknown. */
  #close(): void {
    const { stream } = (this as unknown as { connection: { stream: NodeJS.Socket } }).connection;
    const error = Object.assign(new Error("the database does not answer"), { code: "ETIMEDOUT" });
    (stream as NodeJS.Socket & { destroy(error: Error): void }).destroy(error);
  }
}
